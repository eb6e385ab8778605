//! A check that the processor has the instructions of the build. Without it an old processor ends the process silently
//! at the first unknown instruction.
//!
//! This code runs on the old processor, yet it is compiled with the same instructions as the rest. So it only compares
//! bits and passes constant texts to the standard library, which is compiled for any processor. Strings and lists could
//! be moved with the very instructions that are missing.

use std::io::Write;

/// Whether the processor has the instructions that the program was built for. If not, prints what is missing and what to
/// do.
pub fn is_supported() -> bool {
    let Some(missing) = missing() else { return true };
    say(&mut std::io::stdout(), "info string ", missing);
    say(&mut std::io::stderr(), "jitsugen: ", missing);
    false
}

#[inline(never)]
fn say(out: &mut dyn Write, prefix: &'static str, missing: &'static str) {
    // A GUI shows standard output, a terminal both. An error in writing cannot be reported anywhere.
    let _ = out.write_all(prefix.as_bytes());
    let _ = out.write_all(b"this build needs a newer processor (this one lacks ");
    let _ = out.write_all(missing.as_bytes());
    let _ = out.write_all(b"): take the build for x86-64-v2 instead\n");
    let _ = out.flush();
}

/// The first feature that the processor lacks.
///
/// The standard library's detection assumes the features of the build, so the processor is asked directly.
#[cfg(target_arch = "x86_64")]
#[inline(never)]
fn missing() -> Option<&'static str> {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    let (highest, basic) = (__cpuid(0).eax, __cpuid(1));
    let extended = if highest >= 7 { __cpuid_count(7, 0).ebx } else { 0 };
    let lacks = |register: u32, bit: u32| register >> bit & 1 == 0;
    if cfg!(target_feature = "sse4.2") && lacks(basic.ecx, 20) {
        return Some("SSE4.2");
    }
    if cfg!(target_feature = "popcnt") && lacks(basic.ecx, 23) {
        return Some("POPCNT");
    }
    if cfg!(target_feature = "avx") && lacks(basic.ecx, 28) {
        return Some("AVX");
    }
    if cfg!(target_feature = "fma") && lacks(basic.ecx, 12) {
        return Some("FMA");
    }
    if cfg!(target_feature = "avx2") && lacks(extended, 5) {
        return Some("AVX2");
    }
    if cfg!(target_feature = "bmi1") && lacks(extended, 3) {
        return Some("BMI1");
    }
    if cfg!(target_feature = "bmi2") && lacks(extended, 8) {
        return Some("BMI2");
    }
    if cfg!(target_feature = "avx512f") && lacks(extended, 16) {
        return Some("AVX-512");
    }
    None
}

/// On other architectures one build serves all processors.
#[cfg(not(target_arch = "x86_64"))]
fn missing() -> Option<&'static str> {
    None
}
