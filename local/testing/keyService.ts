import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/**
 * A key service for engines with the two calls of Vault's transit engine that they use. With a passphrase, each engine command would
 * spend more time on key derivation (a million rounds) than on everything else in most tests.
 *
 * @returns the settings with which an engine creates stacks that use this key service
 */
export function serveKeys(): Promise<Record<string, string>> {
  const token = randomBytes(24).toString("base64url");
  const key = randomBytes(32);
  const server = createServer((request, response) => void answer(request, response, token, key));
  return new Promise((resolve, reject) => {
    server.on("error", reject).listen(0, "127.0.0.1", () =>
      resolve({
        PULUMI_OPTION_SECRETS_PROVIDER: "hashivault://tests",
        VAULT_SERVER_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        VAULT_SERVER_TOKEN: token,
      }),
    );
  });
}

const CALLS: Readonly<Record<string, (given: Record<string, string>, key: Buffer) => object>> = {
  "/v1/transit/encrypt/tests": ({ plaintext = "" }, key) => {
    const nonce = randomBytes(12);
    const cipher = createCipheriv("aes-256-gcm", key, nonce);
    const sealed = Buffer.concat([cipher.update(Buffer.from(plaintext, "base64")), cipher.final()]);
    return { ciphertext: Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64") };
  },
  "/v1/transit/decrypt/tests": ({ ciphertext = "" }, key) => {
    const all = Buffer.from(ciphertext, "base64");
    const [nonce, tag, sealed] = [all.subarray(0, 12), all.subarray(12, 28), all.subarray(28)];
    const decipher = createDecipheriv("aes-256-gcm", key, nonce).setAuthTag(tag);
    return { plaintext: Buffer.concat([decipher.update(sealed), decipher.final()]).toString("base64") };
  },
};

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  token: string,
  key: Buffer,
): Promise<void> {
  const say = (status: number, body: object) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  const call = CALLS[request.url ?? ""];
  if (request.headers["x-vault-token"] !== token || !call) return void say(403, { errors: ["not allowed"] });
  try {
    const given = JSON.parse((await buffer(request)).toString()) as Record<string, string>;
    say(200, { data: call(given, key) });
  } catch {
    say(400, { errors: ["this service did not encrypt it"] });
  }
}
