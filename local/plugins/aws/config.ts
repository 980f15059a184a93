import type { CheckFault, Props, Tags, Value } from "./kind";
import type { ProviderConfig } from "./session";

const UNDERSTOOD = new Set([
  "region",
  "accessKey",
  "secretKey",
  "token",
  "profile",
  "maxRetries",
  "endpoints",
  "defaultTags",
]);

/** Settings for checks that the stand-in never makes, and for services that it does not provide. */
const WITHOUT_EFFECT = new Set([
  "version",
  "pluginDownloadURL",
  "skipCredentialsValidation",
  "skipMetadataApiCheck",
  "skipRegionValidation",
  "skipRequestingAccountId",
  "s3UsePathStyle",
  "s3UsEast1RegionalEndpoint",
]);

/** Settings in the provider's configuration that the stand-in does not support. */
export function configFaults(config: Props): CheckFault[] {
  return Object.entries(config)
    .filter(([name, value]) => value !== undefined && !UNDERSTOOD.has(name) && !WITHOUT_EFFECT.has(name))
    .map(([property]) => ({
      property,
      reason:
        "the local stand-in for the aws provider does not know this setting: leave it out, or install the official provider",
    }));
}

/** The provider's configuration, whose nested values arrive as JSON text. */
export function readConfig(config: Props): ProviderConfig {
  const text = (name: string) =>
    typeof config[name] === "string" && config[name] !== "" ? config[name] : undefined;
  const retries = Number(text("maxRetries") ?? config.maxRetries ?? NaN);
  const defaults = nested(config.defaultTags) as { tags?: Tags } | undefined;
  const endpoints = nested(config.endpoints) as { ec2?: string }[] | undefined;
  return {
    region: text("region"),
    accessKey: text("accessKey"),
    secretKey: text("secretKey"),
    token: text("token"),
    profile: text("profile"),
    maxRetries: Number.isInteger(retries) ? retries : undefined,
    endpoint: endpoints?.find(({ ec2 }) => ec2)?.ec2,
    defaultTags: defaults?.tags ?? {},
  };
}

function nested(value: Value): unknown {
  return typeof value === "string" ? (JSON.parse(value) as unknown) : value;
}
