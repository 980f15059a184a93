import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import { readEc2 } from "../../../src/live/ec2/readEc2";

const ENVIRONMENT = ["AWS_ENDPOINT_URL_EC2", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"] as const;
const before = ENVIRONMENT.map((name) => [name, process.env[name]] as const);
let server: Server;
let answer: { status: number; type?: string; body: string };

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume();
    response.writeHead(answer.status, answer.type === undefined ? {} : { "content-type": answer.type });
    response.end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  process.env.AWS_ENDPOINT_URL_EC2 = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  process.env.AWS_ACCESS_KEY_ID = process.env.AWS_SECRET_ACCESS_KEY = "test";
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  for (const [name, value] of before)
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
});

const read = () => readEc2({ region: "us-east-1" }, () => undefined);

test("an empty answer of EC2 yields no resources and no faults", async () => {
  answer = {
    status: 200,
    type: "text/xml;charset=UTF-8",
    body: "<Response><requestId>1</requestId></Response>",
  };
  expect(await read()).toMatchObject({ resources: [], faults: [] });
});

test.each([
  ["text/html", "<html>log in</html>", "text/html"],
  ["text/html; charset=utf-8", "<html/>", "text/html; charset=utf-8"],
  ["application/json", "{}", "application/json"],
  [undefined, "", "no type"],
])("a page of a proxy is no account without groups: %s", async (type, body, said) => {
  answer = { status: 200, body, ...(type !== undefined && { type }) };
  await expect(read()).rejects.toThrow(
    `the EC2 API of us-east-1 does not answer ec2:DescribeVpcs: the answer does not come from EC2: it is ${said}, not XML`,
  );
});

test("an answer that cannot be parsed is reported in one line", async () => {
  answer = { status: 200, type: "text/xml", body: "<Response><vpcSet><item>" };
  const failure = await read().then(
    () => undefined,
    (error: Error) => error.message,
  );
  expect(failure).toMatch(/^the EC2 API of us-east-1 does not answer ec2:DescribeVpcs: [^\n]+$/);
  expect(failure).not.toContain("$response");
});
