import Module from "node:module";

import { ES_MODULE, onDemand } from "./onDemand";

/** Loaded before programs, policy packs and plugins, which then start in two thirds of the time. */
type Load = (request: string, parent: NodeModule | null | undefined, isMain: boolean) => unknown;

const modules = Module as unknown as { _load: Load };
const load = modules._load;
const later = new Map<string, object>();

modules._load = (request, parent, isMain) => {
  const name = loadedByPulumi(request, parent?.filename ?? "");
  if (name === undefined) return load(request, parent, isMain);
  const key = `${name} of ${parent?.filename}`;
  const found =
    later.get(key) ??
    onDemand(() => load(request, parent, isMain) as object, name === "typescript" ? {} : ES_MODULE);
  later.set(key, found);
  return found;
};

/** Names the module if Pulumi's function serializer loads it. */
function loadedByPulumi(request: string, by: string): "typescript" | "arborist" | undefined {
  if (request === "typescript" && /[\\/]@pulumi[\\/]pulumi[\\/]typescript-shim\.js$/.test(by))
    return "typescript";
  if (request === "@npmcli/arborist" && /[\\/]@pulumi[\\/]pulumi[\\/]runtime[\\/]closure[\\/]/.test(by))
    return "arborist";
  return undefined;
}
