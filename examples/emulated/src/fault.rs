//! The end after a panic or a fault, or with the feature `restart` a new beginning. The default would
//! loop for ever.

use core::arch::naked_asm;
use core::panic::PanicInfo;

#[panic_handler]
fn panic(_info: &PanicInfo<'_>) -> ! {
    #[cfg(feature = "telemetry")]
    semihosting::eprintln!("{_info}");
    end_with(101)
}

#[cfg(not(feature = "restart"))]
use semihosting::process::exit as end_with;

#[cfg(feature = "restart")]
fn end_with(_: i32) -> ! {
    cortex_m::peripheral::SCB::sys_reset()
}

/// After an overflow there is no stack to work with, so it is emptied first.
#[unsafe(naked)]
#[unsafe(export_name = "HardFault")]
unsafe extern "C" fn hard_fault() -> ! {
    naked_asm!(
        "mrs r0, msp",
        "ldr r1, =_stack_start",
        "msr msp, r1",
        "ldr r1, ={end}",
        "bx r1",
        end = sym end,
    )
}

extern "C" fn end(stack_pointer: usize) -> ! {
    tell(stack_pointer);
    end_with(2)
}

#[cfg(feature = "telemetry")]
fn tell(stack_pointer: usize) {
    use crate::stack;
    use cortex_m_rt::ExceptionFrame;
    use semihosting::eprintln;

    if !stack::bounds().contains(&stack_pointer) {
        eprintln!("stack overflow");
        return;
    }
    // SAFETY: the processor put a frame there, and nobody else knows of it.
    let pc = unsafe { (*(stack_pointer as *const ExceptionFrame)).pc() };
    eprintln!("hard fault at {pc:#010x}");
}

#[cfg(not(feature = "telemetry"))]
fn tell(_: usize) {}
