import { createHash, createHmac } from "node:crypto";

import type { EC2Client } from "@aws-sdk/client-ec2";

import { refusal } from "./awsError";

/** The account and user of the credentials. */
export interface CallerIdentity {
  accountId: string;
  arn: string;
  userId: string;
}

const BODY = "Action=GetCallerIdentity&Version=2011-06-15";

/** Calls STS. A client library is not worth a dependency for one call, so the request is signed here (Signature Version 4). */
export async function callerIdentity(ec2: EC2Client, endpoint?: string): Promise<CallerIdentity> {
  const region = await ec2.config.region();
  const base = endpoint ?? process.env.AWS_ENDPOINT_URL_STS ?? process.env.AWS_ENDPOINT_URL;
  const url = new URL(base ?? `https://sts.${region}.amazonaws.com`);
  const headers = signed(url.host, region, await ec2.config.credentials());
  const reply = await fetch(url, { method: "POST", headers, body: BODY });
  const text = await reply.text();
  const field = (name: string) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1] ?? "";
  if (!reply.ok) throw refusal(field("Code") || "STS", field("Message") || `answered ${reply.status}`);
  return { accountId: field("Account"), arn: field("Arn"), userId: field("UserId") };
}

interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

function signed(host: string, region: string, credentials: Credentials): Record<string, string> {
  const date = new Date().toISOString().replace(/[-:]|\.\d{3}/g, "");
  const scope = `${date.slice(0, 8)}/${region}/sts/aws4_request`;
  const headers: Record<string, string> = {
    "content-type": "application/x-www-form-urlencoded",
    host,
    "x-amz-date": date,
    ...(credentials.sessionToken && { "x-amz-security-token": credentials.sessionToken }),
  };
  const names = Object.keys(headers).sort();
  const canonical = [
    "POST",
    "/",
    "",
    ...names.map((name) => `${name}:${headers[name]}`),
    "",
    names.join(";"),
    sha256(BODY),
  ];
  const toSign = ["AWS4-HMAC-SHA256", date, scope, sha256(canonical.join("\n"))].join("\n");
  const key = scope
    .split("/")
    .reduce<string | Buffer>((last, part) => hmac(last, part), `AWS4${credentials.secretAccessKey}`);
  const signature = hmac(key, toSign).toString("hex");
  return {
    ...headers,
    authorization: `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${scope}, SignedHeaders=${names.join(";")}, Signature=${signature}`,
  };
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
