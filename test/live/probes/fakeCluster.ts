import { LiveCluster } from "../../../src/cluster/liveCluster";

interface Stored {
  metadata: { name: string; labels?: Record<string, string> };
  [field: string]: unknown;
}

/** Overrides the answer to a request. */
export type Refusal = (method: string, path: string) => { status: number; body: object } | undefined;

/** An API server in memory, with the controller behaviour that tests need. */
export class FakeCluster {
  readonly objects = new Map<string, Stored>();
  readonly log: string[] = [];
  refuse: Refusal = () => undefined;
  /** Called with each created object before it is stored. */
  made: (path: string, object: Stored) => void = () => undefined;
  readonly cluster = new LiveCluster(this, "the hosted cluster");

  send(method: string, url: string, body?: object): Promise<{ status: number; body: unknown }> {
    const [path = "", query = ""] = url.split("?");
    this.log.push(`${method} ${path}`);
    const refusal = this.refuse(method, path);
    return Promise.resolve(refusal ?? this.answer(method, path, query, body as Stored | undefined));
  }

  private answer(method: string, path: string, query: string, body: Stored | undefined) {
    if (method === "POST") {
      const at = `${path}/${body!.metadata.name}`;
      const object = structuredClone(body!);
      this.made(path, object);
      this.objects.set(at, object);
      return { status: 201, body: object };
    }
    const object = this.objects.get(path);
    if (object && method === "DELETE") this.objects.delete(path);
    if (object) return { status: 200, body: object };
    if (query === "") return { status: 404, body: { message: `${path} not found` } };
    const wanted = decodeURIComponent(query.replace("labelSelector=", "")).split(",");
    const items = [...this.objects].flatMap(([at, one]) =>
      at.startsWith(`${path}/`) && wanted.every((pair) => hasLabel(one, pair)) ? [one] : [],
    );
    return { status: 200, body: { items } };
  }
}

function hasLabel({ metadata: { labels = {} } }: Stored, pair: string): boolean {
  const [key = "", value] = pair.split("=");
  return value === undefined ? key in labels : labels[key] === value;
}
