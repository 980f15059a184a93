import { createRequire } from "node:module";

import type * as AnalyzerProtocol from "@pulumi/pulumi/proto/analyzer_grpc_pb";

type Protocol = typeof AnalyzerProtocol;
export type Service = Protocol["AnalyzerService"];

const PROTOCOL = /[\\/]@pulumi[\\/]pulumi[\\/]proto[\\/]analyzer_grpc_pb\.js$/;

/**
 * The analyzer services by which policy libraries read the engine's requests. An installation may hold several copies of the SDK:
 * returns the copy of this package's policy library and, in a third-party pack, also the pack's own, which is already loaded.
 */
export function analyzerServices(): Service[] {
  const ofLibrary = createRequire(require.resolve("@pulumi/policy"));
  const own = ofLibrary("@pulumi/pulumi/proto/analyzer_grpc_pb") as Protocol;
  const loaded = Object.values(require.cache).flatMap((module) =>
    module && PROTOCOL.test(module.filename) ? [module.exports as Protocol] : [],
  );
  return [...new Set([own, ...loaded].map(({ AnalyzerService }) => AnalyzerService))];
}
