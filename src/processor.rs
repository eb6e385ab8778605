//! Says so where the processor is too old for the build: an unknown instruction would end the process without a word.

/// What this processor lacks of what the program was built for, and what to do about it.
#[cfg(target_arch = "x86_64")]
pub fn complaint() -> Option<String> {
    // The standard library's test answers from the build where the build demands a feature: the processor is asked here.
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    let (highest, basic) = (__cpuid(0).eax, __cpuid(1));
    let extended = if highest >= 7 { __cpuid_count(7, 0).ebx } else { 0 };
    let has = |register: u32, bit: u32| register >> bit & 1 == 1;
    let wanted = [
        ("SSE4.2", cfg!(target_feature = "sse4.2"), has(basic.ecx, 20)),
        ("POPCNT", cfg!(target_feature = "popcnt"), has(basic.ecx, 23)),
        ("AVX", cfg!(target_feature = "avx"), has(basic.ecx, 28)),
        ("FMA", cfg!(target_feature = "fma"), has(basic.ecx, 12)),
        ("AVX2", cfg!(target_feature = "avx2"), has(extended, 5)),
        ("BMI1", cfg!(target_feature = "bmi1"), has(extended, 3)),
        ("BMI2", cfg!(target_feature = "bmi2"), has(extended, 8)),
        ("AVX-512", cfg!(target_feature = "avx512f"), has(extended, 16)),
    ];
    let mut missing = String::new();
    for (name, needed, there) in wanted {
        if needed && !there {
            missing.push(' ');
            missing.push_str(name);
        }
    }
    (!missing.is_empty()).then(|| {
        format!(
            "this build needs a newer processor (missing:{missing}): take the build for x86-64-v2 instead"
        )
    })
}

/// Other processors have one build for all.
#[cfg(not(target_arch = "x86_64"))]
pub fn complaint() -> Option<String> {
    None
}
