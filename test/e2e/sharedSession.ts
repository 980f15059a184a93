import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { type Session, type SessionOptions, startSession } from "../../local/session";
import { preferredPlugins } from "../../local/testing/officialParts";
import { residentFile, SERVERS_VARIABLE } from "../../local/testing/sharedServers";
import type { Resident } from "../../local/testing/startResident";
import { clear, objectsOf } from "./examples/inventory";
import { Ec2World } from "./interrupted/network";

/** A session with the resident processes for its engines, if `npm test` provides them. */
export interface SharedSession extends Session {
  readonly resident: Resident;
}

/**
 * A session on emptied servers of `npm test` that other test files use before and after this one, or on its own servers if
 * `npm test` provides none. Its tests must not stop a server, or check what a server keeps across restarts.
 */
export async function sharedSession(
  stateFolder: string,
  plugins: SessionOptions["plugins"] = preferredPlugins(),
): Promise<SharedSession> {
  const folder = process.env[SERVERS_VARIABLE];
  const base = join(folder ?? "", process.env.JEST_WORKER_ID ?? "1");
  const servers = `${base}.json`;
  if (folder === undefined || !existsSync(servers)) {
    const session = await startSession({ stateFolder, plugins });
    return { ...session, resident: { providers: {}, programs: {}, keys: {} } };
  }
  const session = await startSession({ stateFolder, plugins, servers });
  try {
    await Promise.all([new Ec2World(session).empty(), forgetObjects(session, `${base}.objects.json`)]);
    const resident = JSON.parse(readFileSync(residentFile(base), "utf8")) as Resident;
    const env = { ...session.env, ...resident.keys };
    // Its providers are stand-ins.
    return { ...session, env, resident: plugins === "stand-in" ? resident : { ...resident, providers: {} } };
  } catch (error) {
    await session.stop();
    throw error;
  }
}

/** The first one records what the API server created itself; the others keep only that. */
async function forgetObjects(session: Session, file: string): Promise<void> {
  if (existsSync(file)) return clear(session, new Set(JSON.parse(readFileSync(file, "utf8")) as string[]));
  writeFileSync(file, JSON.stringify([...(await objectsOf(session.kubernetes)).keys()]));
}
