import { Direction, Protocol, Role, Zone } from "../../src/requirements/vocabulary";
import type { RequiredFlow } from "../../src/flows/model";

/** A box of the picture: one end of flows. */
interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
  lines: readonly string[];
}

const BOXES = {
  users: { x: 20, y: 60, width: 150, height: 64, lines: ["Users and CI"] },
  controlPlane: {
    x: 360,
    y: 40,
    width: 220,
    height: 104,
    lines: ["Hosted control plane", "hosts of the", "management cluster"],
  },
  workers: { x: 360, y: 280, width: 220, height: 84, lines: ["Workers", "of the hosted cluster"] },
  management: { x: 780, y: 40, width: 170, height: 52, lines: ["Management API"] },
  https: { x: 780, y: 166, width: 170, height: 52, lines: ["Registries, clouds"] },
  dns: { x: 780, y: 304, width: 170, height: 52, lines: ["DNS servers"] },
} as const satisfies Record<string, Box>;

/** An arrow, and the flows that go along it. */
interface Arrow {
  from: [number, number];
  to: [number, number];
  label: [x: number, y: number];
  carries: (flow: RequiredFlow) => boolean;
}

const isOf =
  (role: Role, direction: Direction, ...zones: Zone[]) =>
  (flow: RequiredFlow) =>
    flow.role === role && flow.direction === direction && flow.peers.some(({ zone }) => zones.includes(zone));
const intoControlPlane = (...zones: Zone[]) => isOf(Role.ControlPlane, Direction.Ingress, ...zones);
const outOf = (role: Role, ...zones: Zone[]) => isOf(role, Direction.Egress, ...zones);
const any =
  (...tests: Arrow["carries"][]): Arrow["carries"] =>
  (flow) =>
    tests.some((test) => test(flow));
const HTTPS = [Zone.ContainerRegistry, Zone.Routes, Zone.ExternalHttps];

const ARROWS: readonly Arrow[] = [
  { from: [170, 92], to: [360, 92], label: [265, 82], carries: intoControlPlane(Zone.ExternalClients) },
  {
    from: [440, 280],
    to: [440, 144],
    label: [340, 216],
    carries: any(intoControlPlane(Zone.Workers), outOf(Role.Workers, Zone.ControlPlane)),
  },
  {
    from: [580, 66],
    to: [780, 66],
    label: [680, 56],
    carries: outOf(Role.ControlPlane, Zone.ManagementApi),
  },
  { from: [580, 108], to: [780, 180], label: [716, 132], carries: outOf(Role.ControlPlane, ...HTTPS) },
  { from: [560, 144], to: [780, 316], label: [562, 200], carries: outOf(Role.ControlPlane, Zone.DnsServers) },
  { from: [580, 296], to: [780, 204], label: [752, 256], carries: outOf(Role.Workers, ...HTTPS) },
  { from: [580, 338], to: [780, 338], label: [680, 356], carries: outOf(Role.Workers, Zone.DnsServers) },
];

/** `TCP 443, 6443` */
function portsOf(flows: readonly RequiredFlow[]): string {
  const byProtocol = new Map<Protocol, Set<string>>();
  for (const { protocol, ports } of flows)
    byProtocol.set(
      protocol,
      (byProtocol.get(protocol) ?? new Set()).add(ports ? rangeText(ports.from, ports.to) : ""),
    );
  return [...byProtocol]
    .map(
      ([protocol, ports]) => `${protocol} ${[...ports].sort((a, b) => parseInt(a) - parseInt(b)).join(", ")}`,
    )
    .join(", ");
}

const rangeText = (from: number, to: number): string => (from === to ? `${from}` : `${from}-${to}`);

/**
 * The network of a hosted cluster as an SVG picture: one arrow for all flows between two ends, red where one of them is dropped.
 *
 * @param isDropped whether a finding reports the flow as dropped
 */
export function picture(
  title: string,
  flows: readonly RequiredFlow[],
  isDropped: (flow: RequiredFlow) => boolean,
): string {
  const asked = flows.filter(({ optIn }) => !optIn);
  const arrows = ARROWS.map((arrow) => ({ ...arrow, flows: asked.filter(arrow.carries) }));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 970 390" font-family="system-ui, sans-serif" font-size="14" role="img">`,
    `<title>${title}</title>`,
    `<defs>${marker("open", CALM)}${marker("dropped", BAD)}</defs>`,
    `<rect width="970" height="390" rx="12" fill="#ffffff" stroke="#d0d7de"/>`,
    ...arrows
      .filter((arrow) => arrow.flows.length > 0)
      .map((arrow) => arrowText(arrow, arrow.flows.filter(isDropped))),
    ...Object.values(BOXES).map(boxText),
    "</svg>",
    "",
  ].join("\n");
}

const CALM = "#57606a";
const BAD = "#cf222e";

const marker = (id: string, color: string): string =>
  `<marker id="${id}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="11" markerHeight="11" markerUnits="userSpaceOnUse" orient="auto-start-reverse"><path d="M0 0 8 4 0 8Z" fill="${color}"/></marker>`;

function arrowText(
  { from, to, label, flows }: Arrow & { flows: RequiredFlow[] },
  dropped: RequiredFlow[],
): string {
  const [color, end, width] = dropped.length > 0 ? [BAD, "dropped", 3] : [CALM, "open", 1.5];
  const [x, y] = label;
  const line = `<path d="M${from.join(" ")} ${to.join(" ")}" stroke="${color}" stroke-width="${width}" fill="none" marker-end="url(#${end})"/>`;
  const text = (dy: number, fill: string, weight: string, words: string) =>
    `<text x="${x}" y="${y + dy}" text-anchor="middle" fill="${fill}" font-weight="${weight}" stroke="#fff" stroke-width="4" paint-order="stroke">${words}</text>`;
  // A service has a flow at each of its ends.
  const isDropped = ({ protocol, ports }: RequiredFlow) =>
    dropped.some((one) => one.protocol === protocol && one.ports?.from === ports?.from);
  const open = flows.filter((flow) => !isDropped(flow));
  return [
    line,
    ...(open.length > 0 ? [text(0, CALM, "normal", portsOf(open))] : []),
    ...(dropped.length > 0 ? [text(18, BAD, "bold", `${portsOf(dropped)}: no rule`)] : []),
  ].join("\n");
}

function boxText({ x, y, width, height, lines }: Box): string {
  const middle = y + height / 2 - (lines.length - 1) * 9 + 5;
  return [
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="8" fill="#f6f8fa" stroke="#57606a"/>`,
    ...lines.map(
      (line, at) =>
        `<text x="${x + width / 2}" y="${middle + at * 18}" text-anchor="middle" fill="#1f2328"${at === 0 ? ' font-weight="bold"' : ""}>${line}</text>`,
    ),
  ].join("\n");
}

/** The layers of the source code, the highest on top: each layer imports from those below it. */
export function layoutPicture(layers: readonly (readonly string[])[]): string {
  const rows = [...layers].reverse().map((names) => wrapped(names.join("  ·  "), 96));
  const heights = rows.map((lines) => 20 + lines.length * 18);
  const total = heights.reduce((sum, height) => sum + height + 8, 16);
  let y = 12;
  const boxes = rows.flatMap((lines, at) => {
    const box = boxText({ x: 20, y, width: 800, height: heights[at]!, lines });
    y += heights[at]! + 8;
    return box.replaceAll(' font-weight="bold"', "");
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 880 ${total}" font-family="system-ui, sans-serif" font-size="14" role="img">`,
    "<title>Folders of src/: each imports from its own row and from those below</title>",
    `<defs>${marker("down", CALM)}</defs>`,
    `<rect width="880" height="${total}" rx="12" fill="#ffffff" stroke="#d0d7de"/>`,
    ...boxes,
    `<path d="M848 20 848 ${total - 20}" stroke="${CALM}" stroke-width="1.5" marker-end="url(#down)"/>`,
    `<text x="858" y="${total / 2}" fill="${CALM}" transform="rotate(90 858 ${total / 2})" text-anchor="middle">imports</text>`,
    "</svg>",
    "",
  ].join("\n");
}

/** Wraps words into lines of at most `width` characters. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split("  ·  ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length + 5 <= width)
      lines[lines.length - 1] = `${last}  ·  ${word}`;
    else lines.push(word);
  }
  return lines;
}
