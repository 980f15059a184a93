/** The rows of requirements.md that components fulfil, each with tests of its name. M22 and M23 are not theirs. */
export const ROWS: readonly string[] = [
  ...["M1", "M2", "M3", "M4", "M5", "M6", "M7", "M8", "M9", "M10", "M11", "M12"],
  ...["M13", "M14", "M15", "M16", "M17", "M18", "M19", "M20", "M21", "M24"],
];

/** What no row names and is proved in the same way: how a plan and what runs differ, and how EC2 connects networks. */
export const BESIDE_ROWS: readonly string[] = ["DRIFT", "LINKS"];
