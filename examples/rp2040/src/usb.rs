//! The USB port of the board as a serial port: telemetry goes out, commands come in.
//!
//! Nobody waits for a host. What it does not fetch is dropped, frame by frame.

use embassy_executor::Spawner;
use embassy_rp::peripherals::USB;
use embassy_rp::usb::{Driver, InterruptHandler};
use embassy_rp::{Peri, bind_interrupts};
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::channel::Channel;
use embassy_sync::pipe::Pipe;
use embassy_usb::class::cdc_acm::{CdcAcmClass, Receiver, Sender, State};
use embassy_usb::{Builder, Config, UsbDevice};
use ipse_device::{Command, CommandReader, Piped};
use static_cell::StaticCell;

/// The numbers that pid.codes has for tests. `cargo ipse watch --serial` looks for the name of the manufacturer.
const VENDOR: u16 = 0x1209;
const PRODUCT: u16 = 0x0001;

const PIPE: usize = 2048;
/// The most bytes of a packet. One that is full would have to be followed by another.
const PACKET: usize = 64;

static BYTES: Pipe<CriticalSectionRawMutex, PIPE> = Pipe::new();
static COMMANDS: Channel<CriticalSectionRawMutex, Command, 4> = Channel::new();

/// Where frames go.
pub type Usb = Piped<'static, CriticalSectionRawMutex, PIPE>;

type Port = Driver<'static, USB>;

bind_interrupts!(struct Interrupts {
    USBCTRL_IRQ => InterruptHandler<USB>;
});

/// The port before it is started.
pub struct UsbPort(pub(crate) Peri<'static, USB>);

impl UsbPort {
    /// Shows the board to a host, if there is one, now or later.
    pub fn start(self, spawner: Spawner) -> Usb {
        static CONFIGURATION: StaticCell<[u8; 256]> = StaticCell::new();
        static CONTROL: StaticCell<[u8; 64]> = StaticCell::new();
        static STATE: StaticCell<State<'static>> = StaticCell::new();

        let mut config = Config::new(VENDOR, PRODUCT);
        config.manufacturer = Some("ipse");
        config.product = Some("learner");
        config.serial_number = Some("ipse");
        let driver = Driver::new(self.0, Interrupts);
        let mut builder = Builder::new(
            driver,
            config,
            CONFIGURATION.init([0; 256]),
            &mut [],
            &mut [],
            CONTROL.init([0; 64]),
        );
        let state = STATE.init(State::new());
        let class = CdcAcmClass::new(&mut builder, state, PACKET as u16);
        let (sender, receiver) = class.split();
        spawner.spawn(run(builder.build()).expect("it is spawned once"));
        spawner.spawn(send(sender).expect("it is spawned once"));
        spawner.spawn(receive(receiver).expect("it is spawned once"));
        Piped(&BYTES)
    }
}

/// The next command that a host sends.
pub async fn command() -> Command {
    COMMANDS.receive().await
}

#[embassy_executor::task]
async fn run(mut device: UsbDevice<'static, Port>) -> ! {
    device.run().await
}

#[embassy_executor::task]
async fn send(mut sender: Sender<'static, Port>) -> ! {
    let mut packet = [0; PACKET - 1];
    loop {
        sender.wait_connection().await;
        let len = BYTES.read(&mut packet).await;
        // If the cable was pulled meanwhile, these bytes are lost. A reader goes on at the next frame.
        let _ = sender.write_packet(&packet[..len]).await;
    }
}

#[embassy_executor::task]
async fn receive(mut receiver: Receiver<'static, Port>) -> ! {
    let mut reader = CommandReader::new();
    let mut packet = [0; PACKET];
    loop {
        receiver.wait_connection().await;
        while let Ok(len) = receiver.read_packet(&mut packet).await {
            let commands = packet[..len].iter().filter_map(|byte| reader.push(*byte));
            for command in commands {
                // If several wait already, this one is dropped: what is obeyed is told.
                let _ = COMMANDS.try_send(command);
            }
        }
    }
}
