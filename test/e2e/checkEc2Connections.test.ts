import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request as httpRequest, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import {
  AcceptVpcPeeringConnectionCommand,
  AttachVpnGatewayCommand,
  CreateCustomerGatewayCommand,
  CreateRouteCommand,
  CreateRouteTableCommand,
  CreateTransitGatewayCommand,
  CreateTransitGatewayRouteCommand,
  CreateTransitGatewayRouteTableCommand,
  CreateTransitGatewayVpcAttachmentCommand,
  CreateVpcCommand,
  CreateVpcPeeringConnectionCommand,
  CreateVpnConnectionCommand,
  CreateVpnGatewayCommand,
  DeleteRouteCommand,
  DeleteTransitGatewayRouteCommand,
  DeleteVpcPeeringConnectionCommand,
} from "@aws-sdk/client-ec2";

import { repositoryRoot } from "../../local/repository";
import type { Session } from "../../local/session";
import { World } from "./world";
import { sharedSession } from "./sharedSession";

/** The command as users run it. */
const command = join(repositoryRoot, "dist", "src", "cli", "main.js");

/** Forwards requests to the EC2 API, and denies one action as EC2 would. */
function refusing(action: string, endpoint: string): Promise<Server> {
  const front = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks);
      if (new URLSearchParams(body.toString()).get("Action") === action) {
        response.writeHead(403, { "content-type": "text/xml" });
        response.end(
          "<Response><Errors><Error><Code>UnauthorizedOperation</Code><Message>Encoded: s3cret</Message></Error></Errors></Response>",
        );
        return;
      }
      const { method, headers } = request;
      const passed = httpRequest(new URL(request.url ?? "/", endpoint), { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      });
      passed.end(body);
    });
  });
  return new Promise((resolve) => front.listen(0, "127.0.0.1", () => resolve(front)));
}

describe("hypershift-network check --ec2 of connected VPCs", () => {
  const folder = mkdtempSync(join(tmpdir(), "check-ec2-connections-"));
  const config = join(folder, "hypershift-network.yaml");
  let session: Session;
  let ec2: World["ec2"];
  let workers: string;
  let table: string;

  const run = (
    args: readonly string[],
    env: NodeJS.ProcessEnv = {},
  ): Promise<{ status: number; out: string; error: string }> =>
    new Promise((resolve) =>
      execFile(
        process.execPath,
        [command, "check", "--ec2", ...args, "-c", config],
        { env: { ...session.env, ...env } },
        (failure, out, error) => resolve({ status: failure ? Number(failure.code) : 0, out, error }),
      ),
    );
  /** The networks that collide if only the workers' VPC is checked. */
  const found = async (): Promise<string[]> => {
    const { out } = await run(["--vpc", workers, "--format", "json"]);
    const { findings } = JSON.parse(out) as { findings: { message: string }[] };
    return findings.map(({ message }) => message.replace(/^.* shares addresses with /, ""));
  };
  const makeVpc = async (CidrBlock: string): Promise<string> => {
    const { Vpc } = await ec2.send(new CreateVpcCommand({ CidrBlock }));
    return Vpc!.VpcId!;
  };

  beforeAll(async () => {
    writeFileSync(
      config,
      `hostedClusters:
  - name: tenant-a
    platform: AWS
    release: "4.20"
    machineNetwork: [{ cidr: 10.8.0.0/16 }]
    clusterNetwork: [{ cidr: 10.132.0.0/14 }]
rules: { all: disabled, cidr-overlap: mandatory }
`,
    );
    session = await sharedSession(join(folder, "state"));
    ({ ec2 } = new World(session));
    workers = await makeVpc("10.8.0.0/16");
    const { RouteTable } = await ec2.send(new CreateRouteTableCommand({ VpcId: workers }));
    table = RouteTable!.RouteTableId!;
  }, 900_000);
  afterAll(async () => {
    await session?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test("reports no findings for an unconnected VPC that has the pods' addresses", async () => {
    await makeVpc("10.132.0.0/16");
    const { status, out, error } = await run([]);
    expect([status, out]).toEqual([
      0,
      expect.stringContaining("in the EC2 API of us-east-1, 1 hosted cluster"),
    ]);
    expect(error).not.toContain("note");
  });

  test("finds a peered VPC until its peering is deleted", async () => {
    const peer = await makeVpc("10.133.0.0/16");
    const asked = await ec2.send(new CreateVpcPeeringConnectionCommand({ VpcId: workers, PeerVpcId: peer }));
    const { VpcPeeringConnectionId } = asked.VpcPeeringConnection!;
    await ec2.send(new AcceptVpcPeeringConnectionCommand({ VpcPeeringConnectionId }));
    expect(await found()).toEqual([`VPC ${peer} 10.133.0.0/16`]);
    const all = await run([]);
    expect([all.status, all.out]).toEqual([1, expect.stringContaining(`VPC ${peer} 10.133.0.0/16`)]);
    await ec2.send(new DeleteVpcPeeringConnectionCommand({ VpcPeeringConnectionId }));
    expect(await found()).toEqual([]);
  });

  test("finds networks behind a transit gateway by routes of the VPC's tables and of the gateway's own table", async () => {
    const { TransitGateway } = await ec2.send(new CreateTransitGatewayCommand({}));
    const TransitGatewayId = TransitGateway!.TransitGatewayId!;
    await ec2.send(
      new CreateTransitGatewayVpcAttachmentCommand({ TransitGatewayId, VpcId: workers, SubnetIds: [] }),
    );
    const another = await ec2.send(new CreateTransitGatewayRouteTableCommand({ TransitGatewayId }));
    expect(await found()).toEqual([]);
    const route = { RouteTableId: table, DestinationCidrBlock: "10.134.0.0/16" };
    await ec2.send(new CreateRouteCommand({ ...route, TransitGatewayId }));
    expect(await found()).toEqual([`the network behind the transit gateway (route ${table}) 10.134.0.0/16`]);
    await ec2.send(new DeleteRouteCommand(route));
    const own = TransitGateway!.Options!.AssociationDefaultRouteTableId!;
    const beyond = { TransitGatewayRouteTableId: own, DestinationCidrBlock: "10.135.0.0/16" };
    await ec2.send(new CreateTransitGatewayRouteCommand(beyond));
    for (const none of [
      { TransitGatewayRouteTableId: own, DestinationCidrBlock: "10.134.0.0/16", Blackhole: true },
      {
        TransitGatewayRouteTableId: another.TransitGatewayRouteTable!.TransitGatewayRouteTableId,
        DestinationCidrBlock: "10.133.0.0/16",
      },
    ])
      await ec2.send(new CreateTransitGatewayRouteCommand(none));
    expect(await found()).toEqual([
      `the network behind the transit gateway (route ${own}_10.135.0.0/16) 10.135.0.0/16`,
    ]);
    await ec2.send(new DeleteTransitGatewayRouteCommand(beyond));
    expect(await found()).toEqual([]);
  });

  test("finds the network behind a VPN gateway by the route to it, and none without a route", async () => {
    const { VpnGateway } = await ec2.send(new CreateVpnGatewayCommand({ Type: "ipsec.1" }));
    const VpnGatewayId = VpnGateway!.VpnGatewayId!;
    await ec2.send(new AttachVpnGatewayCommand({ VpnGatewayId, VpcId: workers }));
    const { CustomerGateway } = await ec2.send(
      new CreateCustomerGatewayCommand({ Type: "ipsec.1", PublicIp: "192.0.2.1", BgpAsn: 65000 }),
    );
    await ec2.send(
      new CreateVpnConnectionCommand({
        Type: "ipsec.1",
        CustomerGatewayId: CustomerGateway!.CustomerGatewayId,
        VpnGatewayId,
      }),
    );
    const { out } = await run(["--vpc", workers, "--format", "json"]);
    expect(JSON.parse(out)).toMatchObject({ findings: [] });
    const route = { RouteTableId: table, DestinationCidrBlock: "10.134.0.0/16" };
    await ec2.send(new CreateRouteCommand({ ...route, GatewayId: VpnGatewayId }));
    expect(await found()).toEqual([`the network behind the VPN gateway (route ${table}) 10.134.0.0/16`]);
    await ec2.send(new DeleteRouteCommand(route));
  });

  test.each(["DescribeVpcPeeringConnections", "SearchTransitGatewayRoutes", "DescribeVpnConnections"])(
    "without the right to %s nothing is judged, and the right is named",
    async (action) => {
      const front = await refusing(action, session.awsEndpoint);
      const endpoint = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
      const { status, out, error } = await run([], { AWS_ENDPOINT_URL_EC2: endpoint });
      front.close();
      expect([status, out]).toEqual([2, ""]);
      expect(error).toContain(`the EC2 API of us-east-1 forbids ec2:${action}: allow it, as the IAM policy`);
      expect(error).not.toContain("s3cret");
    },
  );
});
