import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** Comments of one pull request, served by the part of GitHub's API that reads and writes them. */
export interface Comments {
  url: string;
  bodies: string[];
  stop(): Promise<void>;
}

/** The user of the job's token. */
const BOT = "github-actions[bot]";

/**
 * @param status the status of the answer to writes; a token of a fork gets 403
 * @param authors who wrote the comments at these places; the user of the token wrote the others
 */
export async function serveComments(
  bodies: string[],
  status = 200,
  authors: Readonly<Record<number, string>> = {},
): Promise<Comments> {
  const server = createServer((request, response) => {
    void textOf(request).then((text) => {
      const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
      const isRead = request.method === "GET";
      if (pathname === "/graphql") {
        response.end(JSON.stringify({ data: { viewer: { login: BOT } } }));
        return;
      }
      response.writeHead(isRead ? 200 : status, { "content-type": "application/json" });
      if (isRead) {
        const perPage = Number(searchParams.get("per_page"));
        const first = (Number(searchParams.get("page")) - 1) * perPage;
        const all = bodies.map((body, id) => ({ id: id + 1, body, user: { login: authors[id] ?? BOT } }));
        response.end(JSON.stringify(all.slice(first, first + perPage)));
        return;
      }
      if (status === 200) {
        const { body } = JSON.parse(text) as { body: string };
        const id = /\/issues\/comments\/(\d+)$/.exec(pathname)?.[1];
        if (request.method === "PATCH" && id !== undefined) bodies[Number(id) - 1] = body;
        else if (pathname === "/repos/acme/networks/issues/7/comments") bodies.push(body);
      }
      response.end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
}
