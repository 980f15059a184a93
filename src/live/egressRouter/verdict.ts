import { parseInterfaceAddress } from "../../egressRouter/interfaceAddress";
import { routerConfigIn } from "../../egressRouter/podNetworks";
import { describeReference } from "../../requirements/documents";
import { egressRouterVerificationSource } from "../../requirements/egressSupport";
import { read, readText } from "../../resources/read";
import { LiveStatus, type LiveCheck } from "../../cluster/liveCheck";
import type { LiveObject } from "../../cluster/liveCluster";
import type { RouterState } from "./routerState";

/** What a check comes to. */
export type Verdict = Pick<LiveCheck, "found" | "status">;

export const passed = (found: string): Verdict => ({ found, status: LiveStatus.Passed });
export const failed = (found: string): Verdict => ({ found, status: LiveStatus.Failed });
export const unknown = (found: string): Verdict => ({ found, status: LiveStatus.Unknown });

/** A check of an egress router; the way out stands where it did not pass. */
export const check = (
  rest: Pick<LiveCheck, "id" | "what" | "expected">,
  verdict: Verdict,
  fix: string,
): LiveCheck => ({
  ...rest,
  ...verdict,
  ...(verdict.status !== LiveStatus.Passed && { fix }),
  documented: describeReference(egressRouterVerificationSource),
});

/** The reserved address with its prefix length, as the router's own objects say it. */
export function wantedOf({ router, attachment }: RouterState): string | undefined {
  if (router) return wantedBy(router);
  const config = attachment && routerConfigIn(textsOf(attachment, "spec.config")[0] ?? "");
  const [address] = config?.addresses ?? [];
  return address === undefined ? undefined : canonical(address);
}

/** Operators take the first address alone. */
export function wantedBy(router: LiveObject): string | undefined {
  const [first] = read(router, "spec.addresses[].ip");
  return first && canonical(first.value as string);
}

export function canonical(address: string): string | undefined {
  const interfaceAddress = parseInterfaceAddress(address);
  return interfaceAddress.problem === undefined ? interfaceAddress.text : undefined;
}

/** The text at a path; none where there is none. */
export function textsOf(object: LiveObject, path: string): string[] {
  const text = readText(object, path);
  return typeof text === "string" && text !== "" ? [text] : [];
}
