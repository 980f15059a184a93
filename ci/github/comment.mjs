// Writes the findings into the one comment of a pull request that belongs to the gate: a later run replaces its text.
import { readFileSync } from "node:fs";

const { GITHUB_API_URL, GITHUB_REPOSITORY, MARKDOWN, NUMBER, TOKEN } = process.env;
const PER_PAGE = 100;

const body = readFileSync(MARKDOWN, "utf8");
const [marker] = body.split("\n", 1);
const comments = `/repos/${GITHUB_REPOSITORY}/issues/${NUMBER}/comments`;

const existing = await commentWith(marker);
if (existing) await request("PATCH", `/repos/${GITHUB_REPOSITORY}/issues/comments/${existing.id}`, { body });
else await request("POST", comments, { body });

/** The comment whose text begins with the marker. */
async function commentWith(text) {
  for (let page = 1; ; page++) {
    const found = await request("GET", `${comments}?per_page=${PER_PAGE}&page=${page}`);
    const own = found.find((comment) => comment.body?.startsWith(text));
    if (own || found.length < PER_PAGE) return own;
  }
}

/** A token of a fork may not write: that is said, and does not fail the gate, which has its own status. */
async function request(method, path, content) {
  const response = await fetch(`${GITHUB_API_URL}${path}`, {
    method,
    headers: {
      accept: "application/vnd.github+json",
      authorization: `Bearer ${TOKEN}`,
      "x-github-api-version": "2022-11-28",
    },
    ...(content && { body: JSON.stringify(content) }),
  });
  if (response.ok) return response.json();
  console.log(
    `::warning title=hypershift-network::no comment was written: ${method} ${path} was answered with ${response.status}. ` +
      "The job needs the permission pull-requests: write, which pull requests of forks do not get.",
  );
  process.exit(0);
}
