//! UF2 files, which one drops on the drive that a boot loader shows.
//!
//! A file is blocks of 512 bytes, each with a page of content and where it goes. The format is that of
//! github.com/microsoft/uf2. A boot loader erases a sector when it gets the first of its pages, so that every page of a
//! sector has to come.

/// The family of the RP2040, which its boot loader asks for.
pub const RP2040: u32 = 0xe48b_ff56;

/// The bytes of content of a block.
pub const PAGE: usize = 256;

/// The bytes of a block.
pub const BLOCK: usize = 512;

/// The blocks of a file for a chip of this family, from the pages at these addresses.
///
/// ```
/// use ipse_device::uf2;
///
/// let pages = [(0x1000_0000, [1; uf2::PAGE]), (0x1000_0100, [2; uf2::PAGE])];
/// let file: Vec<u8> = uf2::blocks(uf2::RP2040, pages.iter().copied()).flatten().collect();
/// assert!(file.len() == 2 * uf2::BLOCK && file.starts_with(b"UF2\n"));
/// ```
pub fn blocks(
    family: u32,
    pages: impl ExactSizeIterator<Item = (u32, [u8; PAGE])>,
) -> impl Iterator<Item = [u8; BLOCK]> {
    let count = pages.len() as u32;
    let numbered = (0..).zip(pages);
    numbered.map(move |(number, (address, page))| block(family, address, &page, number, count))
}

fn block(family: u32, address: u32, page: &[u8; PAGE], number: u32, count: u32) -> [u8; BLOCK] {
    const BEGIN: [u32; 2] = [0x0a32_4655, 0x9e5d_5157];
    const END: u32 = 0x0ab1_6f30;
    const FAMILY_IS_GIVEN: u32 = 0x2000;
    let [first, second] = BEGIN;
    let size = PAGE as u32;
    let header = [
        first,
        second,
        FAMILY_IS_GIVEN,
        address,
        size,
        number,
        count,
        family,
    ];
    let mut block = [0; BLOCK];
    let content = header.into_iter().flat_map(u32::to_le_bytes).chain(*page);
    for (byte, content) in block.iter_mut().zip(content) {
        *byte = content;
    }
    if let Some(end) = block.last_chunk_mut() {
        *end = END.to_le_bytes();
    }
    block
}
