//! What the system's allocator is told before the first frame.

/// Keeps what a frame frees for the next one.
///
/// Each frame fills some megabytes and frees them: meshes, and what a driver without a GPU works with. Left alone, glibc gives the
/// end of its heap back to the system whenever 128 KiB of it are free, and takes it again at once, empty: some fifty calls a
/// frame and a fault for each page, a fifth of the frame's time.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub fn keep_what_frames_free() {
    /// What may stay free at the end of the heap, in bytes.
    const KEPT: libc::c_int = 64 << 20;
    /// Pieces from this size on are the system's, in bytes: the most to which glibc raises it by itself, which it does no more
    /// once it has been told anything.
    const LARGE: libc::c_int = 32 << 20;
    // SAFETY: mallopt may be called at any time, by any thread, with any numbers; it refuses those that it does not like.
    unsafe {
        libc::mallopt(libc::M_TRIM_THRESHOLD, KEPT);
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
    }
}

/// Other allocators keep what was freed.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn keep_what_frames_free() {}
