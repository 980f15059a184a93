import { createRequire } from "node:module";

import type * as AnalyzerProtocol from "@pulumi/pulumi/proto/analyzer_grpc_pb";

type Protocol = typeof AnalyzerProtocol;
export type Service = Protocol["AnalyzerService"];

const PROTOCOL = /[\\/]@pulumi[\\/]pulumi[\\/]proto[\\/]analyzer_grpc_pb\.js$/;

/**
 * The engine's requests as policy libraries read them. An installation may hold several copies of the SDK: it is that of this package's
 * policy library, and in a pack of somebody else's also that of its own, which is loaded by then.
 */
export function analyzerServices(): Service[] {
  const ofLibrary = createRequire(require.resolve("@pulumi/policy"));
  const own = ofLibrary("@pulumi/pulumi/proto/analyzer_grpc_pb") as Protocol;
  const loaded = Object.values(require.cache).flatMap((module) =>
    module && PROTOCOL.test(module.filename) ? [module.exports as Protocol] : [],
  );
  return [...new Set([own, ...loaded].map(({ AnalyzerService }) => AnalyzerService))];
}
