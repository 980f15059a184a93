// What `hypershift-network/testing` exports: the rules of the gate in tests of programs and of configurations.
import "../supportedNode";

export { judge, type Judged } from "./judge";
export { manifest, resource } from "./judge";
export { previewOf, type PreviewOptions } from "./previewOf";
export type { ConfigurationDocument } from "../cli/configurationCommands";
export { UNKNOWN, type Origin, type PropertyValue, type Resource } from "../resources/resource";
export type { ExemptedFinding, Exemption } from "../gate/verdict";
export { Level, Status, type Finding } from "../gate/rule";
