// Writes the findings into the one comment of a pull request that belongs to the gate: a later run replaces its text.
import { readFileSync } from "node:fs";

const { CATEGORY, GITHUB_API_URL, GITHUB_GRAPHQL_URL, GITHUB_REPOSITORY, MARKDOWN, NUMBER, TOKEN } =
  process.env;
const PER_PAGE = 100;
/** The category of a job with one use of the action. */
const ONLY = "hypershift-network";

const [first, ...lines] = readFileSync(MARKDOWN, "utf8").split("\n");
// Each category has a comment of its own.
const marker = CATEGORY === ONLY ? first : first.replace(" -->", `: ${encodeURIComponent(CATEGORY)} -->`);
const body = [marker, ...lines].join("\n");
const comments = `${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}/issues/${NUMBER}/comments`;

const existing = await commentWith(marker);
if (existing)
  await request("PATCH", `${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}/issues/comments/${existing.id}`, {
    body,
  });
else await request("POST", comments, { body });

/** The comment of this token's user whose text begins with the marker: anyone may begin a comment with it. */
async function commentWith(text) {
  const author = await login();
  for (let page = 1; ; page++) {
    const found = await request("GET", `${comments}?per_page=${PER_PAGE}&page=${page}`);
    const own = found.find((comment) => comment.user?.login === author && comment.body?.startsWith(text));
    if (own || found.length < PER_PAGE) return own;
  }
}

/** The user of the token. Only GraphQL tells it for the token of a job. */
async function login() {
  const { data } = await request("POST", GITHUB_GRAPHQL_URL, { query: "{ viewer { login } }" });
  return data?.viewer?.login ?? "github-actions[bot]";
}

/** A token of a fork may not write, and a server may not answer: that is said, and does not fail the gate, which has its own status. */
async function request(method, url, content) {
  try {
    const response = await fetch(url, {
      method,
      headers: {
        accept: "application/vnd.github+json",
        authorization: `Bearer ${TOKEN}`,
        "x-github-api-version": "2022-11-28",
      },
      ...(content && { body: JSON.stringify(content) }),
    });
    if (response.ok) return await response.json();
    giveUp(
      `${method} ${url} was answered with ${response.status}. ` +
        "The job needs the permission pull-requests: write, which pull requests of forks do not get.",
    );
  } catch (error) {
    giveUp(
      error instanceof SyntaxError
        ? `${method} ${url} was not answered with JSON. Something between the runner and GitHub answers instead.`
        : `${method} ${url} had no answer: ${error.cause?.code ?? error.message}.`,
    );
  }
}

function giveUp(why) {
  console.log(`::warning title=hypershift-network::no comment was written: ${why}`);
  process.exit(0);
}
