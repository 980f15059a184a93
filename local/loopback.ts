import { type Server, ServerCredentials } from "@grpc/grpc-js";

/** Binds a gRPC server to a free port on loopback and returns the port. */
export const listenOnLoopback = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) =>
      error ? reject(error) : resolve(port),
    );
  });
