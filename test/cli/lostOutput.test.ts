import { onLostOutput } from "../../src/cli/terminal";

/** What a command prints, and the status with which it exits, if its output fails with this error code. */
function lost(code: string): { said: string[]; ended: number[] } {
  const said: string[] = [];
  const ended: number[] = [];
  const onError = onLostOutput({ error: (text) => said.push(text) }, (status) => ended.push(status));
  onError(Object.assign(new Error(code), { code }));
  return { said, ended };
}

describe("lost output", () => {
  it("keeps the command's own status if the reader closes the pipe", () => {
    expect(lost("EPIPE")).toEqual({ said: [], ended: [] });
  });

  it("ends the command with status 2 if it cannot be written", () => {
    const { said, ended } = lost("ENOSPC");
    expect(ended).toEqual([2]);
    expect(said).toEqual([expect.stringContaining("standard output cannot be written (ENOSPC)")]);
  });
});
