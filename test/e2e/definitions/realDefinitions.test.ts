import { chooseCrds, OWN_CRDS, readCrds } from "../../../local/servers/crds";
import { changes, samples, type KubernetesObject, type Sample } from "./objects";
import { Server, type Answer } from "./twoServers";
import { variantsOf } from "./variants";

/**
 * The project's own definitions against those that `HYPERSHIFT_NETWORK_CRDS` names: an API server with the ones and an API
 * server with the others have to take, complete, prune and refuse the same. The words of a refusal are their own.
 */
const ownNames = new Set(readCrds(OWN_CRDS).map(({ metadata }) => metadata.name));
const isOwn = (name: string) => ownNames.has(name);
let real: Server;
let own: Server;

beforeAll(async () => {
  [real, own] = await Promise.all([Server.start(chooseCrds().folder, isOwn), Server.start(OWN_CRDS, isOwn)]);
}, 900_000);
afterAll(async () => {
  await Promise.all([real?.stop(), own?.stop()]);
});

/** What is compared: the reason of a refusal is shown, but not compared. */
const verdict = ({ status, stored }: Answer) => ({ status, stored });

const kinds = new Set(readCrds(OWN_CRDS).map(({ spec }) => spec.names.kind));
const subjects = [
  ...new Map(samples.map((sample) => [JSON.stringify(sample.object), sample])).values(),
].filter(({ object }) => kinds.has(object.kind) && object.spec !== undefined);
/** The number of concurrent requests. */
const AT_ONCE = 8;

test("every definition of the project has a real counterpart", () => {
  const there = readCrds(chooseCrds().folder).map(({ metadata }) => metadata.name);
  expect([...ownNames].filter((name) => !there.includes(name))).toEqual([]);
});

test("both definitions accept, complete and refuse objects alike", async () => {
  expect(subjects.length).toBeGreaterThan(300);
  expect(await differences(subjects)).toEqual([]);
});

test("both definitions accept, complete and refuse objects with a missing or an unknown field alike", async () => {
  // A field that many objects have is removed from one object per platform.
  const variants = new Map<string, Sample>();
  for (const { from, object } of subjects) {
    for (const [how, variant] of variantsOf(object)) {
      const key = [object.kind, platformOf(object), how].join(" ");
      if (!variants.has(key)) variants.set(key, { from: `${from}, ${how}`, object: variant });
    }
  }
  expect(await differences([...variants.values()])).toEqual([]);
});

test.each(changes)("both definitions judge a change alike: $what", async ({ what, states }) => {
  const [before, after] = states as unknown as [KubernetesObject, KubernetesObject];
  const name = `tenant-${changes.findIndex((change) => change.what === what)}`;
  const [expected, found] = await Promise.all([
    real.change(name, before, after),
    own.change(name, before, after),
  ]);
  expect(verdict(found)).toEqual(verdict(expected));
});

const platformOf = ({ spec }: KubernetesObject) => (spec as { platform?: { type?: string } }).platform?.type;

/** The objects on which the two servers disagree, with both answers. */
async function differences(objects: readonly Sample[]): Promise<string[]> {
  const found: string[] = [];
  const compare = async ({ from, object }: Sample) => {
    const [expected, answer] = await Promise.all([real.create(object), own.create(object)]);
    if (JSON.stringify(sorted(verdict(expected))) === JSON.stringify(sorted(verdict(answer)))) return;
    found.push([`${object.kind}, ${from}`, `real: ${shown(expected)}`, `own: ${shown(answer)}`].join("\n"));
  };
  const rest = [...objects];
  const worker = async () => {
    for (let next = rest.pop(); next !== undefined; next = rest.pop()) await compare(next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return found;
}

const shown = ({ status, stored, message }: Answer) => `${status} ${message || JSON.stringify(stored)}`;

/** With keys in order: only what is stored counts. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, entry]) => [key, sorted(entry)]));
}
