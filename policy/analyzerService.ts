import { createRequire } from "node:module";

import type * as AnalyzerProtocol from "@pulumi/pulumi/proto/analyzer_grpc_pb";

type Service = typeof AnalyzerProtocol.AnalyzerService;

/**
 * The engine's requests as the policy library reads them. An installation may hold several versions of the SDK: it is the library's own
 * that is looked up.
 */
export function analyzerService(): Service {
  const ofLibrary = createRequire(require.resolve("@pulumi/policy"));
  return (ofLibrary("@pulumi/pulumi/proto/analyzer_grpc_pb") as typeof AnalyzerProtocol).AnalyzerService;
}
