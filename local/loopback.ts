import { type Server, ServerCredentials } from "@grpc/grpc-js";

/** Lets a gRPC server listen only on a free port of this machine; the port. */
export const listenOnLoopback = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) =>
      error ? reject(error) : resolve(port),
    );
  });
