//! Names of headers: CSA's for those that KIF has under another.

const NAMES: [(&str, &str); 7] = [
    ("EVENT", "棋戦"),
    ("SITE", "場所"),
    ("START_TIME", "開始日時"),
    ("END_TIME", "終了日時"),
    ("TIME_LIMIT", "持ち時間"),
    ("OPENING", "戦型"),
    ("NOTE", "備考"),
];

/// The name that a record keeps.
pub(super) fn canonical(name: &str) -> &str {
    NAMES.iter().find(|(_, kif)| *kif == name).map_or(name, |(csa, _)| csa)
}

/// The name that a KIF file has.
pub(super) fn in_kif(name: &str) -> &str {
    NAMES.iter().find(|(csa, _)| *csa == name).map_or(name, |(_, kif)| kif)
}
