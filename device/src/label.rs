//! The first line of a file with a checkpoint. It names the task and its features, for people and for error messages.

use core::fmt::{self, Display, Formatter};
use core::marker::PhantomData;
use ipse::Environment;

const BEGINNING: &str = "ipse checkpoint: ";

/// The name of the task `E` and of its features.
///
/// ```
/// use ipse_device::label::{Label, split};
/// use ipse_tasks::Foraging;
///
/// let label = Label::<Foraging>::default();
/// assert_eq!(label.to_string(), "foraging (seeds, distance, owls)");
///
/// let file = [label.line().to_string().as_bytes(), b"the checkpoint"].concat();
/// let (read, checkpoint) = split(&file);
/// assert_eq!((read, checkpoint), (Some(&b"foraging (seeds, distance, owls)"[..]), &b"the checkpoint"[..]));
/// // A board saves checkpoints without a label.
/// assert_eq!(split(b"IPSE"), (None, &b"IPSE"[..]));
/// ```
pub struct Label<E>(PhantomData<E>);

impl<E> Default for Label<E> {
    fn default() -> Self {
        Label(PhantomData)
    }
}

impl<E: Environment> Label<E> {
    /// The whole line.
    pub fn line(&self) -> impl Display + '_ {
        Line(self)
    }
}

struct Line<'a, E>(&'a Label<E>);

impl<E: Environment> Display for Line<'_, E> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "{BEGINNING}{}", self.0)
    }
}

impl<E: Environment> Display for Label<E> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} (", E::NAME)?;
        for (i, feature) in E::FEATURES.as_ref().iter().enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            write!(f, "{comma}{}", feature.name)?;
        }
        f.write_str(")")
    }
}

/// What the first line of a file says, if it has one, and the checkpoint after it.
pub fn split(file: &[u8]) -> (Option<&[u8]>, &[u8]) {
    let labelled = || {
        let rest = file.strip_prefix(BEGINNING.as_bytes())?;
        let end = rest.iter().position(|byte| *byte == b'\n')?;
        Some((rest.get(..end), rest.get(end + 1..)?))
    };
    labelled().unwrap_or((None, file))
}
