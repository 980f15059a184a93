import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { run } from "./command";

/** Path of Python in the folder of a virtual environment. */
export const PYTHON = process.platform === "win32" ? join("Scripts", "python.exe") : join("bin", "python");
/** Marks a complete virtual environment, because its Python exists before pip has installed the packages. */
export const COMPLETE = "complete";

/** Creates a virtual environment with some packages: `moto==5.2.1`. */
export async function virtualEnvironment(
  python: string,
  folder: string,
  packages: readonly string[],
): Promise<void> {
  await run(python, ["-m", "venv", folder]);
  const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
  await run(join(folder, PYTHON), [...pip, ...packages]);
  writeFileSync(join(folder, COMPLETE), "");
}
