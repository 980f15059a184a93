import * as settings from "@pulumi/pulumi/runtime/settings";

/**
 * Channels of one process share connections by address, and what is remembered of one that failed: a program would not try to
 * reach an engine that has the port of one that is gone, and the engine would take it for a program without resources. Pulumi
 * keeps these options to itself.
 */
export const { grpcClientOptions } = settings as unknown as { grpcClientOptions?: Record<string, unknown> };
// Older SDKs have none.
if (grpcClientOptions) grpcClientOptions["grpc.use_local_subchannel_pool"] = 1;
