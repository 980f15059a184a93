import { LiveCluster, type LiveObject } from "../../../src/cluster/liveCluster";

/** The content of an API server: lists by their paths, and refusals. */
export interface Served {
  /** Items by the path of their list: `/api/v1/namespaces`. */
  lists?: Readonly<Record<string, readonly object[]>>;
  /** Single objects by their paths. */
  objects?: Readonly<Record<string, object>>;
  /** Paths that the user may not read. */
  forbidden?: readonly string[];
}

const PAGE_OF_TEST = 2;

/** Answers as an API server does: groups, versions, pages of two objects, refusals. */
export function apiServer({ lists = {}, objects = {}, forbidden = [] }: Served) {
  const asked: string[] = [];
  const answer = (target: string): { status: number; body: unknown } => {
    asked.push(target);
    const { pathname: path, searchParams } = new URL(target, "http://api");
    const own = path.slice(path.lastIndexOf("/") + 1);
    if (forbidden.includes(path))
      return {
        status: 403,
        body: { message: `${own} is forbidden: User "x" cannot list resource "${own}"` },
      };
    if (objects[path]) return { status: 200, body: objects[path] };
    if (lists[path])
      return { status: 200, body: page(lists[path], Number(searchParams.get("continue") ?? 0)) };
    return discovery(Object.keys(lists), path) ?? { status: 404, body: {} };
  };
  const cluster = new LiveCluster(
    { send: (_method: string, target: string) => Promise.resolve(answer(target)) },
    "the cluster",
  );
  return { asked, answer, cluster };
}

function page(items: readonly object[], from: number): LiveObject {
  const next = from + PAGE_OF_TEST < items.length ? `${from + PAGE_OF_TEST}` : "";
  const [first = {}] = items as readonly { kind?: string; apiVersion?: string }[];
  // Items of typed lists do not state their kind.
  const shown = items
    .slice(from, from + PAGE_OF_TEST)
    .map((item) => ({ ...item, kind: undefined, apiVersion: undefined }));
  return JSON.parse(
    JSON.stringify({
      kind: `${first.kind ?? "Thing"}List`,
      apiVersion: first.apiVersion ?? "v1",
      metadata: { continue: next },
      items: shown,
    }),
  ) as LiveObject;
}

/** The answers of `/apis/GROUP` and `/apis/GROUP/VERSION` for the lists. */
function discovery(paths: readonly string[], path: string): { status: number; body: object } | undefined {
  const below = paths.filter((list) => list.startsWith(`${path}/`));
  if (below.length === 0) return undefined;
  const rest = below.map((list) => list.slice(path.length + 1));
  const isVersion = rest.every((text) => !text.includes("/"));
  if (isVersion) return { status: 200, body: { resources: rest.map((name) => ({ name })) } };
  const versions = rest.map((text) => ({
    groupVersion: `${path.slice("/apis/".length)}/${text.split("/")[0]!}`,
  }));
  return { status: 200, body: { versions, preferredVersion: versions[0] } };
}
