import * as pulumi from "@pulumi/pulumi";

import { run } from "./program";

const broken = (text: string) => pulumi.output(Promise.reject<string>(new Error(text)));

describe("the failures of a program", () => {
  test("are those of its own Outputs, including a late one", async () => {
    const { failures } = await run(() => {
      broken("at once").apply((value) => value);
      const late = new Promise((resolve) => setTimeout(resolve, 5)).then(() => broken("late"));
      pulumi.output(late).apply((value) => value);
    });
    expect([...failures].sort()).toEqual(["at once", "late"]);
  });

  test("exclude those of other code that runs at the same time", async () => {
    let isElsewhereDone = false;
    setTimeout(() => {
      Promise.reject(new Error("elsewhere")).catch(() => (isElsewhereDone = true));
    }, 0);
    const { failures } = await run(() => {
      pulumi.output(1).apply((value) => value);
    });
    expect(isElsewhereDone).toBe(true);
    expect(failures).toEqual([]);
  });
});
