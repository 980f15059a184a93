import type { Resource } from "../resources/resource";
import type { InputFault } from "./inputFault";
import { kubernetesObjects, manifestResource } from "./kubernetesObjects";
import type { Lines, ParsedText } from "./lines";
import { readPart, yamlParts, type YamlDocument } from "./yamlDocuments";

/** What a file of manifests holds. */
export interface Manifests {
  resources: Resource[];
  faults: InputFault[];
}

/** The Kubernetes objects of YAML, or of JSON, which YAML contains. Documents of another kind are passed over. */
export function readManifests(text: string, file: string, lines: Lines): Manifests {
  const found: Manifests = { resources: [], faults: [] };
  for (const part of yamlParts(text))
    for (const document of readPart(part, file))
      if (document.fault) found.faults.push(document.fault);
      else readObjects(document, part, file, lines, found);
  return found;
}

/** The Kubernetes objects of a JSON value, without lines. */
export const jsonManifests = (value: unknown, file: string): Resource[] =>
  kubernetesObjects(value).map((object) => manifestResource(object, { file }));

function readObjects(
  { value, document, lineOf }: Extract<YamlDocument, { fault?: undefined }>,
  part: ParsedText,
  file: string,
  lines: Lines,
  { resources, faults }: Manifests,
): void {
  for (const object of kubernetesObjects(value)) {
    const origin = { file, line: lineOf(object.path) };
    if (isTemplate(object.object))
      faults.push({
        ...origin,
        problem: "is a Template of OpenShift, whose objects have no values yet",
        remedy: "process it first: oc process -f FILE --local -o yaml",
      });
    lines.remember(origin, { part, document, path: object.path });
    resources.push(manifestResource(object, origin));
  }
}

const isTemplate = ({ apiVersion, kind }: Readonly<Record<string, unknown>>): boolean =>
  kind === "Template" && /^(template\.openshift\.io\/)?v1$/.test(String(apiVersion));
