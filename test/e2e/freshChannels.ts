import * as settings from "@pulumi/pulumi/runtime/settings";

/**
 * Channels of one process share connections by address, including the memory of a failed one: a program would not try to reach an
 * engine at the port of one that has ended, and the engine would take it for a program without resources. Pulumi does not export
 * these options.
 */
export const { grpcClientOptions } = settings as unknown as { grpcClientOptions?: Record<string, unknown> };
// Older SDKs do not have them.
if (grpcClientOptions) grpcClientOptions["grpc.use_local_subchannel_pool"] = 1;
