use super::*;

#[test]
fn bytes_come_back_and_the_start_stays_aligned_while_it_grows() {
    let mut buffer = AlignedBuffer::default();
    let mut expected = Vec::new();
    for step in 0..200_usize {
        let bytes = vec![u8::try_from(step).unwrap(); step * 7 % 1300];
        buffer.extend_from_slice(&bytes);
        expected.extend_from_slice(&bytes);
        assert_eq!(buffer.as_slice().as_ptr().align_offset(BLOCK_ALIGNMENT), 0);
    }
    assert_eq!(buffer.as_slice(), expected);
    assert_eq!(buffer.len(), expected.len());
}

#[test]
fn what_was_there_before_a_clear_does_not_shine_through_padding() {
    let mut buffer = AlignedBuffer::with_capacity(8192);
    buffer.extend_from_slice(&[0xFF; 8192]);
    buffer.clear();
    assert!(buffer.is_empty() && buffer.capacity() >= 8192);
    buffer.extend_from_slice(b"abc");
    assert_eq!(buffer.pad_to_multiple(BLOCK_ALIGNMENT), 4093);
    assert_eq!(&buffer.as_slice()[..3], b"abc");
    assert!(buffer.as_slice()[3..].iter().all(|byte| *byte == 0));
    assert_eq!(buffer.pad_to_multiple(BLOCK_ALIGNMENT), 0);
}

#[test]
fn resizing_cuts_and_extends_with_zeros() {
    let mut buffer = AlignedBuffer::zeroed(10);
    buffer.as_mut_slice().fill(9);
    buffer.resize_zeroed(4);
    buffer.resize_zeroed(6);
    assert_eq!(buffer.as_slice(), [9, 9, 9, 9, 0, 0]);
    buffer.shrink_to(0);
    assert_eq!(buffer.as_slice(), [9, 9, 9, 9, 0, 0]);
}
