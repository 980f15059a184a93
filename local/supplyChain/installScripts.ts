import type { LockedPackage } from "./lockedPackages";

/** Packages that users get and that run a script when they are installed, with what it does. */
export const KNOWN_SCRIPTS: Readonly<Record<string, string>> = {
  "@pulumi/kubernetes": "asks pulumi, where it is on PATH, to install the provider of the same version",
  protobufjs: "says on which package's version range it is depended on; makes nothing",
};

/** What npm runs of a package when a user installs it from a registry or a tarball. */
const AT_INSTALL = ["preinstall", "install", "postinstall"] as const;

/** The scripts of this package that would run where a user installs it. */
export const ownInstallScripts = (manifest: { scripts?: Record<string, string> }): string[] =>
  AT_INSTALL.filter((name) => manifest.scripts?.[name] !== undefined);

/** Packages with a script that nobody has read. */
export const scriptFaults = (packages: readonly LockedPackage[]): string[] =>
  packages
    .filter(({ name, hasInstallScript }) => hasInstallScript && !Object.hasOwn(KNOWN_SCRIPTS, name))
    .map(
      ({ folder, version }) =>
        `${folder} ${version} runs a script when it is installed: read it, then add it to local/supplyChain/installScripts.ts, or leave the package out`,
    );

/** Packages whose bytes the lock file does not hold. */
export const integrityFaults = (packages: readonly LockedPackage[]): string[] =>
  packages
    .filter(({ hasIntegrity }) => !hasIntegrity)
    .map(
      ({ folder, version }) => `${folder} ${version} has no checksum in package-lock.json: run npm install`,
    );
