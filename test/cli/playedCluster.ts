import { Cluster } from "../../src/cluster/cluster";
import { apiServer, type Served } from "../live/objects/apiServer";
import { Folder } from "../plan/plans";

/** A simulated cluster for commands with `--live`, and a folder for their inputs, both new for each test. */
export class PlayedCluster {
  folder!: Folder;
  served!: Served;
  /** How each cluster was opened. */
  opened!: unknown[];

  constructor() {
    beforeEach(() => {
      this.folder = new Folder();
      this.opened = [];
      jest.spyOn(Cluster, "open").mockImplementation((access) => {
        this.opened.push(access);
        const send = (_: string, path: string) => Promise.resolve(apiServer(this.served).answer(path));
        return Promise.resolve({ send, host: "api.example.com:6443" } as unknown as Cluster);
      });
    });
    afterEach(() => {
      jest.restoreAllMocks();
      this.folder.remove();
    });
  }
}
