import type { LockedPackage } from "./lockedPackages";

/** Packages that users install and that run an install script, with what the script does. */
export const KNOWN_SCRIPTS: Readonly<Record<string, string>> = {
  "@pulumi/kubernetes": "asks pulumi, where it is on PATH, to install the provider of the same version",
  protobufjs: "says on which package's version range it is depended on; makes nothing",
};

/** The scripts that npm runs when a user installs a package from a registry or a tarball. */
const AT_INSTALL = ["preinstall", "install", "postinstall"] as const;

/** The scripts of this package that would run on the user's machine at installation. */
export const ownInstallScripts = (manifest: { scripts?: Record<string, string> }): string[] =>
  AT_INSTALL.filter((name) => manifest.scripts?.[name] !== undefined);

/** Packages with an install script that nobody has reviewed. */
export const scriptFaults = (packages: readonly LockedPackage[]): string[] =>
  packages
    .filter(({ name, hasInstallScript }) => hasInstallScript && !Object.hasOwn(KNOWN_SCRIPTS, name))
    .map(
      ({ folder, version }) =>
        `${folder} ${version} runs a script when it is installed: read it, then add it to local/supplyChain/installScripts.ts, or leave the package out`,
    );

/** Packages without a checksum in the lock file. */
export const integrityFaults = (packages: readonly LockedPackage[]): string[] =>
  packages
    .filter(({ hasIntegrity }) => !hasIntegrity)
    .map(
      ({ folder, version }) => `${folder} ${version} has no checksum in package-lock.json: run npm install`,
    );
