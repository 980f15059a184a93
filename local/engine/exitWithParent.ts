import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Loaded before plugins, policy packs and programs (`node --require`). They are children of the engine, which ends them when it ends;
 * if it is killed, they would keep running and might still change something. So they check whether their parent still runs, and leave
 * a record by which a session finds those that are too busy to check.
 */
const LOOK_EVERY_MS = 250;

const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) {
    process.exit(1);
  }
}, LOOK_EVERY_MS).unref();

const records = process.env.HYPERSHIFT_NETWORK_RECORDS;
if (records !== undefined) {
  const record = join(records, `${process.pid}`);
  try {
    mkdirSync(records, { recursive: true, mode: 0o700 });
    writeFileSync(record, `${parent}`, { mode: 0o600 });
    process.on("exit", () => rmSync(record, { force: true }));
  } catch {
    // The session's folder is gone, so nothing will look for this process.
  }
}
