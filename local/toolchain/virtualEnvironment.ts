import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { run } from "./command";

/** The Python of a virtual environment, in its folder. */
export const PYTHON = process.platform === "win32" ? join("Scripts", "python.exe") : join("bin", "python");
/** A virtual environment has its Python before pip has filled it: this file says that it is complete. */
export const COMPLETE = "complete";

/** Makes a virtual environment with some packages: `moto==5.2.1`. */
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
