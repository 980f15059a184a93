import { spawn } from "node:child_process";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

import { freePort } from "./ports";
import { isReading, journalHeaders, type JournalEntry, keyOf } from "./ec2Journal";

/**
 * moto keeps everything in memory. This program runs moto and acts as a proxy in front of it: it passes one request at a time, gives
 * moto a new random seed before each change and writes both to a journal. At the next start it replays the journal, so every
 * identifier is the same as before. It refuses requests without the access key of this start.
 */
interface GatewayConfiguration {
  readonly python: string;
  readonly port: number;
  readonly journal: string;
  readonly accessKeyId: string;
}

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: Buffer;
}

const configuration = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as GatewayConfiguration;
/** Any number will do, as long as it stays the same. */
const REGION_SEED = 1;
let motoPort = 0;
let lastTurn: Promise<unknown> = Promise.resolve();

/** Runs `work` after all earlier work has finished. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const turn = lastTurn.then(work);
  lastTurn = turn.catch(() => undefined);
  return turn;
}

function askMoto(
  method: string,
  path: string,
  headers: Record<string, string>,
  body: Buffer,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: "127.0.0.1", port: motoPort, method, path, headers, agent: false });
    request.on("response", (response) => {
      const { statusCode: status = 502, headers: answered } = response;
      bodyOf(response).then((content) => resolve({ status, headers: answered, body: content }), reject);
    });
    request.on("error", reject);
    request.end(body);
  });
}

const preparedScopes = new Set<string>();

/**
 * moto creates a region's default VPC at the first request that names the region, whichever request that is. Creating it at a fixed
 * point makes its identifiers and all later ones independent of which request came first.
 */
async function prepareRegion(headers: Record<string, string>): Promise<void> {
  const scope = headers.authorization ?? "";
  if (preparedScopes.has(scope)) return;
  preparedScopes.add(scope);
  await seedMoto(REGION_SEED);
  const form = { ...headers, "content-type": "application/x-www-form-urlencoded" };
  await askMoto("POST", "/", form, Buffer.from("Action=DescribeVpcs&Version=2016-11-15"));
}

function seedMoto(seed: number): Promise<Answer> {
  return askMoto("POST", `/moto-api/seed?a=${seed}`, {}, Buffer.alloc(0));
}

async function change({ seed, method, path, headers, body }: JournalEntry): Promise<Answer> {
  await prepareRegion(headers);
  await seedMoto(seed);
  return askMoto(method, path, headers, Buffer.from(body, "base64"));
}

async function forward(message: IncomingMessage, body: Buffer): Promise<Answer> {
  const method = message.method ?? "GET";
  const path = message.url ?? "/";
  const headers = journalHeaders(message.headers);
  if (isReading(method, path, body.toString("utf8"))) {
    return inTurn(async () => {
      await prepareRegion(headers);
      return askMoto(method, path, headers, body);
    });
  }
  const entry = { seed: randomInt(2 ** 31), method, path, headers, body: body.toString("base64") };
  return inTurn(async () => {
    const answer = await change(entry);
    appendFileSync(configuration.journal, `${JSON.stringify(entry)}\n`, { mode: 0o600 });
    return answer;
  });
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) {
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

async function answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await bodyOf(message);
  if (keyOf(message.headers.authorization) !== configuration.accessKeyId) {
    response.writeHead(401, { "content-type": "text/xml" }).end(REFUSAL);
    return;
  }
  if (message.url === "/ready") {
    response.writeHead(200).end();
    return;
  }
  const { status, headers, body: content } = await forward(message, body);
  response.writeHead(status, { "content-type": headers["content-type"] ?? "text/xml" }).end(content);
}

const REFUSAL =
  "<Response><Errors><Error><Code>AuthFailure</Code><Message>the access key is not the one of this session" +
  "</Message></Error></Errors><RequestID>0</RequestID></Response>";

async function startMoto(): Promise<void> {
  motoPort = await freePort();
  const moto = spawn(configuration.python, ["-m", "moto.server", "-H", "127.0.0.1", "-p", `${motoPort}`], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1" },
  });
  moto.on("exit", (code) => process.exit(code ?? 1));
  moto.on("error", (error) => {
    console.error(error.message);
    process.exit(1);
  });
  for (;;) {
    const status = await askMoto("GET", "/moto-api/data.json", {}, Buffer.alloc(0)).then(
      (reply) => reply.status,
      () => 0,
    );
    if (status === 200) {
      return;
    }
    await sleep(50);
  }
}

async function repeatJournal(): Promise<void> {
  const lines = existsSync(configuration.journal)
    ? readFileSync(configuration.journal, "utf8").split("\n")
    : [];
  for (const line of lines.filter(Boolean)) {
    await change(JSON.parse(line) as JournalEntry);
  }
}

async function main(): Promise<void> {
  await startMoto();
  await repeatJournal();
  createServer((message, response) => {
    answer(message, response).catch((error: unknown) => {
      response.writeHead(502, { "content-type": "text/plain" }).end(String(error));
    });
  }).listen(configuration.port, "127.0.0.1");
}

void main();
