//! The agent in a page: what a Web Worker runs, as a module of WebAssembly.
//!
//! [`module!`] makes a task such a module: it names the task with a set of features, and the learners that the page offers
//! for it. A run in the page is a [`Session`](ipse_device::Session) as on a board, and tells what happens by the
//! same [`Event`](ipse_device::Event)s, so that the page shows a run of its own and one of a board by the same code.
//!
//! The interface is a few functions of numbers. Each leaves its answer, JSON or bytes, in the module's memory, and returns
//! its length; nothing else is shared, and no tool has to generate anything.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod answer;
mod duel;
mod live;
mod page;
mod set;
mod stream;

pub use page::Page;
pub use set::Set;

/// Makes a module of the page from a [`Set`], to be built as a `cdylib` for `wasm32-unknown-unknown`.
///
/// ```
/// use ipse_tasks::Foraging;
/// use ipse_web::Set;
///
/// ipse_web::module!(Set::new("", Foraging).unit("seeds").ipse());
/// # fn main() {}
/// ```
#[macro_export]
macro_rules! module {
    ($set:expr) => {
        ::std::thread_local! {
            static PAGE: ::std::cell::RefCell<$crate::Page> =
                ::std::cell::RefCell::new($crate::Page::new($set));
        }

        /// Where the caller writes the bytes of its next question.
        #[unsafe(no_mangle)]
        pub extern "C" fn input(length: usize) -> *mut u8 {
            PAGE.with_borrow_mut(|page| page.input(length).as_mut_ptr())
        }

        /// Where the last answer begins.
        #[unsafe(no_mangle)]
        pub extern "C" fn output() -> *const u8 {
            PAGE.with_borrow(|page| page.output().as_ptr())
        }

        $crate::exports! {
            about(),
            start(learner: u32, low: u32, high: u32, iterations: u32),
            resume(learner: u32),
            save(),
            learn(slices: u32, iterations: u32),
            hear(),
            play(actions: u32),
            view(),
            judge(),
            ledger(rank: u32),
            weigh(),
            release(),
            score(games: u32, actions: u32, low: u32, high: u32),
        }
    };
}

/// The functions of [`Page`] as those of a module.
#[doc(hidden)]
#[macro_export]
macro_rules! exports {
    ($($name:ident($($argument:ident: $type:ty),*),)*) => {$(
        #[doc = concat!("See `Page::", stringify!($name), "`. Returns the length of the answer.")]
        #[unsafe(no_mangle)]
        pub extern "C" fn $name($($argument: $type),*) -> usize {
            PAGE.with_borrow_mut(|page| page.$name($($argument),*))
        }
    )*};
}
