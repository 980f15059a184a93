import { createRequire } from "node:module";

/**
 * The well-known protobuf messages, from the copy of google-protobuf that @pulumi/pulumi itself loads: its messages do
 * not accept messages of another copy.
 */
const fromPulumi = createRequire(require.resolve("@pulumi/pulumi/package.json"));
const load = (name: string): unknown => fromPulumi(`google-protobuf/google/protobuf/${name}_pb`);

export const { Struct } = load("struct") as typeof import("google-protobuf/google/protobuf/struct_pb");
export const { Any } = load("any") as typeof import("google-protobuf/google/protobuf/any_pb");
export const { Empty } = load("empty") as typeof import("google-protobuf/google/protobuf/empty_pb");
