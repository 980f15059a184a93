import { onLostOutput } from "../../src/cli/terminal";

/** What a command says and does whose output ends with an error of that code. */
function lost(code: string): { said: string[]; ended: number[] } {
  const said: string[] = [];
  const ended: number[] = [];
  const onError = onLostOutput({ error: (text) => said.push(text) }, (status) => ended.push(status));
  onError(Object.assign(new Error(code), { code }));
  return { said, ended };
}

describe("a report that is not read", () => {
  it("lets the command end with its own status where the reader has seen enough", () => {
    expect(lost("EPIPE")).toEqual({ said: [], ended: [] });
  });

  it("is status 2 where it cannot be written", () => {
    const { said, ended } = lost("ENOSPC");
    expect(ended).toEqual([2]);
    expect(said).toEqual([expect.stringContaining("standard output cannot be written (ENOSPC)")]);
  });
});
