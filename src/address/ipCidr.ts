import type IPCIDR from "ip-cidr";

/**
 * The `ip-cidr` package, loaded at its first use: it takes ten milliseconds, and a policy pack that starts with every
 * preview may never meet a prefix that somebody typed.
 */
export function ipCidr(): typeof IPCIDR {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load it with this file
  return (require("ip-cidr") as { default: typeof IPCIDR }).default;
}
