import type { Fault } from "../fault";
import type { Resource } from "../resources/resource";
import { violated, type Judgement } from "./rule";

/** The place in an object of each input of the component that makes such objects: `spec.egressIPs` for `addresses`. */
export type ObjectPaths = Readonly<Record<string, string>>;

/** Inputs that no object has, by what says the same to a rule. */
const ELSEWHERE: readonly (readonly [input: string, said: string])[] = [
  ["nodeSubnets", "machineNetwork of the HostedCluster"],
];

/** Faults of a component's inputs, at the places that an object has for them; inputs that no object has are left out. */
export function objectFaults(resource: Resource, faults: readonly Fault[], paths: ObjectPaths): Judgement[] {
  return faults.flatMap(({ path, problem, remedy }) => {
    const root = /^[^.[]*/.exec(path)?.[0] ?? path;
    const place = Object.hasOwn(paths, root) ? paths[root] : undefined;
    if (place === undefined) return [];
    const inObject = `${place}${path.slice(root.length)}`;
    const message = problem.replaceAll(`${root}[`, `${place}[`);
    const fix = ELSEWHERE.reduce((text, [input, said]) => text.replaceAll(input, said), remedy);
    return [violated({ resource: resource.origin, path: inObject, message, fix })];
  });
}
