import type { ProxySettings } from "../hostedClusterTopology";
import { missing, refuse } from "./findings";
import type { Findings } from "./findings";
import { readObject } from "./values";

/** Schemes that each URL may have. */
const schemes = { httpProxy: ["http:"], httpsProxy: ["http:", "https:"] } as const;

/** The proxy settings. Their URLs may hold credentials: no fault ever shows a value. */
export function readProxy(findings: Findings, value: unknown): ProxySettings | undefined {
  if (typeof value === "string")
    return refuse(
      findings,
      "proxy",
      "a text is no object",
      "write an object with httpProxy, httpsProxy or noProxy",
    );
  const raw = readObject(findings, "proxy", value, ["httpProxy", "httpsProxy", "noProxy"]);
  if (!raw) return undefined;
  const httpProxy = readUrl(findings, "httpProxy", raw.httpProxy);
  const httpsProxy = readUrl(findings, "httpsProxy", raw.httpsProxy);
  const noProxy = readSecretText(findings, "proxy.noProxy", raw.noProxy);
  return {
    ...(httpProxy !== undefined && { httpProxy }),
    ...(httpsProxy !== undefined && { httpsProxy }),
    ...(noProxy !== undefined && { noProxy }),
  };
}

function readUrl(findings: Findings, key: keyof typeof schemes, value: unknown): string | undefined {
  const text = readSecretText(findings, `proxy.${key}`, value);
  if (text === undefined || text === "") return text;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const allowed: readonly string[] = schemes[key];
  if (url && allowed.includes(url.protocol) && url.hostname !== "") return text;
  const written = allowed.map((scheme) => `${scheme}//`).join(" or ");
  return refuse(
    findings,
    `proxy.${key}`,
    `no URL that begins with ${written}`,
    `write ${allowed[0]}//proxy.example.com:3128`,
  );
}

function readSecretText(findings: Findings, property: string, value: unknown): string | undefined {
  if (missing(findings, property, value)) return undefined;
  if (typeof value === "string") return value;
  return refuse(findings, property, "no string", "write a string");
}
