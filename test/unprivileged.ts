import { chmodSync } from "node:fs";

/** A user who owns no file. */
const NOBODY = 65_534;

/**
 * Runs a function as a user who may not read everything: root reads files whatever their permissions are, as in a container.
 *
 * @param folder a folder that this user may enter
 */
export async function unprivileged<T>(folder: string, run: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return run();
  chmodSync(folder, 0o755);
  process.seteuid!(NOBODY);
  try {
    return await run();
  } finally {
    process.seteuid!(0);
  }
}
