import { TYPE } from "../../src/resources/resourceTypes";
import type { Resource } from "../../src/resources/resource";
import { Folder, NOT_KNOWN, state } from "./plans";

/** A security group in a preview. */
export const group = (more?: object) => state(TYPE.securityGroup, "hosts", { description: "hosts" }, more);

/** A rule of that group, whose ID is not known yet. */
export const rule = (cidrIpv4: unknown, name = "in-443") =>
  state(
    TYPE.ingressRule,
    name,
    { securityGroupId: NOT_KNOWN, cidrIpv4 },
    { propertyDependencies: { securityGroupId: [group().urn], cidrIpv4: null } },
  );

/** A folder for each test, and the resources of a valid plan in it. */
export class PlanFolder {
  folder!: Folder;

  constructor() {
    beforeEach(() => (this.folder = new Folder()));
    afterEach(() => this.folder.remove());
  }

  async resources(text: string, options = {}): Promise<readonly Resource[]> {
    this.folder.write("plan.json", text);
    const inputs = await this.folder.read(["plan.json"], options);
    expect(inputs.faults).toEqual([]);
    return inputs.resources;
  }
}
