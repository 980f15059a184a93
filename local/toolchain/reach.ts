const PATIENCE_MS = 4_000;

/** Whether a URL answers within seconds; a machine behind a proxy for package registries may not reach it. */
export async function answers(url: string, patience = PATIENCE_MS): Promise<boolean> {
  try {
    const response = await fetch(url, {
      method: "HEAD",
      signal: AbortSignal.timeout(patience),
      redirect: "follow",
    });
    return response.ok;
  } catch {
    return false;
  }
}
