import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { repositoryRoot } from "../../../local/repository";
import { startSession, type Session } from "../../../local/session";
import { namespaced } from "../applied";
import { PlayedOpenShift } from "../networkTypeMigration/playedOpenShift";
import { ProbeWorld } from "../probes/probeWorld";
import { kubeconfigWithRoles } from "../roles";
import { askedBy, unneeded } from "./asked";
import { inWords, rightsIn } from "./rights";
import type { Use } from "./componentUses";
import { usesOf } from "./uses";

const files = readdirSync(join(repositoryRoot, "rbac")).sort();

/**
 * Compares every role in rbac/ with the audit log of the real API server: a user with that role and its companion roles is refused
 * nothing, and each right of the role allows something that no other right would have allowed.
 */
describe("the smallest roles", () => {
  const folder = mkdtempSync(join(tmpdir(), "roles-"));
  let session: Session;
  let world: ProbeWorld;
  let uses: Record<string, Use>;

  beforeAll(async () => {
    session = await startSession({ stateFolder: join(folder, "state"), plugins: "stand-in" });
    for (const name of ["clusters", "shop"]) await namespaced(session, name);
    // This defines the OpenShift kinds that a session does not have.
    await PlayedOpenShift.install(session);
    world = new ProbeWorld(session.kubernetes);
    uses = usesOf(session, world);
  }, 900_000);
  afterAll(async () => {
    await world?.stop();
    await session?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test("all have a use", () => expect(Object.keys(uses).sort()).toEqual(files));

  test.each(files)("%s allows what is needed, and nothing else", async (file) => {
    const { beside = [], run } = uses[file]!;
    const account = file.replace(".yaml", "");
    await run(await kubeconfigWithRoles(session, account, file, ...beside), account);
    const asked = askedBy(session, account);
    expect(asked.filter(({ isAllowed }) => !isAllowed).map(inWords)).toEqual([]);
    const rights = rightsIn(file);
    const all = [...rights, ...beside.flatMap(rightsIn)];
    const idle = unneeded(all, asked).filter((right) => rights.includes(right));
    expect(idle.map(inWords)).toEqual([]);
  });

  test("are checked for unused rights and rights that are granted twice", async () => {
    const [file, account] = ["verify-hosted.yaml", "noticed"];
    await uses[file]!.run(await kubeconfigWithRoles(session, account, file), account);
    const [rights, asked] = [rightsIn(file), askedBy(session, account)];
    const idle = rights.map((right) => ({ ...right, verb: "update" }));
    expect(unneeded([...rights, ...idle], asked)).toEqual(idle);
    const twice = [...rights, { ...rights[0]! }];
    expect(unneeded(twice, asked)).toEqual([rights[0], rights[0]]);
    expect(unneeded(rights, [])).toEqual(rights);
  });
});
