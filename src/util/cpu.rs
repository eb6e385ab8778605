//! Says so where the processor is too old for the build: an unknown instruction would end the process without a word.
//!
//! All of this runs on the old processor, but is compiled like the rest: so it compares single bits, and hands constant
//! texts to the standard library, which is compiled for any processor. Strings and lists would be moved about with the
//! very instructions that are missing.

use std::io::Write;

/// Whether the processor has what the program was built for. If not, says what is missing and what to do.
pub fn suffices() -> bool {
    let Some(missing) = missing() else { return true };
    say(&mut std::io::stdout(), "info string ", missing);
    say(&mut std::io::stderr(), "jitsugen: ", missing);
    false
}

#[inline(never)]
fn say(out: &mut dyn Write, who: &'static str, missing: &'static str) {
    // GUIs show what an engine says, terminals both; whether anyone reads it is not ours to mend.
    let _ = out.write_all(who.as_bytes());
    let _ = out.write_all(b"this build needs a newer processor (this one lacks ");
    let _ = out.write_all(missing.as_bytes());
    let _ = out.write_all(b"): take the build for x86-64-v2 instead\n");
    let _ = out.flush();
}

/// The first thing that the processor lacks.
///
/// The standard library's own test takes for granted what the build demands: here the processor is asked.
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

/// Other processors have one build for all.
#[cfg(not(target_arch = "x86_64"))]
fn missing() -> Option<&'static str> {
    None
}
