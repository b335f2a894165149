//! The certificate that the server shows, and its key: read once, at the start.

use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use rustls::{
    ServerConfig,
    crypto::ring,
    pki_types::{
        CertificateDer, PrivateKeyDer,
        pem::{self, PemObject as _},
    },
};

/// The files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Files {
    /// The certificate, and those that vouch for it, in PEM.
    pub cert: PathBuf,
    /// Its private key, in PEM.
    pub key: PathBuf,
}

/// Why there is no certificate to show.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file can't be read.
    #[error("{option} {}: the file can't be read: {source}", path.display())]
    Unreadable {
        /// The option that names it.
        option: &'static str,
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file is not what it should be.
    #[error("{option} {}: there is no {wanted} in this file", path.display())]
    Nothing {
        /// The option that names it.
        option: &'static str,
        /// The file.
        path: PathBuf,
        /// What should be in it.
        wanted: &'static str,
    },
    /// The two are there, and are no pair, or not such as can be used.
    #[error(
        "the certificate {} and the key {} can't be used together: {source}",
        files.cert.display(), files.key.display()
    )]
    Unusable {
        /// The files.
        files: Files,
        /// Why.
        source: rustls::Error,
    },
}

/// What a certificate is called where none is found.
const CERTIFICATE: &str = "certificate in PEM (-----BEGIN CERTIFICATE-----)";

/// What a key is called where none is found.
const KEY: &str = "private key in PEM (-----BEGIN PRIVATE KEY-----)";

/// Reads the files.
///
/// # Errors
/// - [`TlsError`], which names the option and the file.
pub fn open(files: &Files) -> Result<ServerConfig, TlsError> {
    let option = "--tls-cert";
    let wrong = |error| wrong(option, &files.cert, CERTIFICATE, error);
    let certificates = CertificateDer::pem_file_iter(&files.cert).map_err(wrong)?;
    let certificates: Vec<_> = certificates.collect::<Result<_, _>>().map_err(wrong)?;
    if certificates.is_empty() {
        return Err(wrong(pem::Error::NoItemsFound));
    }
    let key = PrivateKeyDer::from_pem_file(&files.key)
        .map_err(|error| self::wrong("--tls-key", &files.key, KEY, error))?;
    ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .and_then(|config| config.with_no_client_auth().with_single_cert(certificates, key))
        .map_err(|source| TlsError::Unusable { files: files.clone(), source })
}

fn wrong(option: &'static str, path: &Path, wanted: &'static str, error: pem::Error) -> TlsError {
    let path = path.to_owned();
    match error {
        pem::Error::Io(source) => TlsError::Unreadable { option, path, source },
        _ => TlsError::Nothing { option, path, wanted },
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn each_way_in_which_the_files_can_be_wrong_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let [one, other] = ["one", "other"].map(|name| {
            let pair = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
            let [cert, key] =
                ["crt", "key"].map(|kind| folder.path().join(name).with_extension(kind));
            fs::write(&cert, pair.cert.pem()).unwrap();
            fs::write(&key, pair.signing_key.serialize_pem()).unwrap();
            Files { cert, key }
        });
        assert!(open(&one).is_ok());
        let said = |cert: &Path, key: &Path| {
            let files = Files { cert: cert.to_owned(), key: key.to_owned() };
            open(&files).unwrap_err().to_string()
        };
        let missing = folder.path().join("missing");
        let text = said(&missing, &one.key);
        assert!(text.contains("--tls-cert") && text.contains("missing: the file can't be read"));
        let text = said(&one.cert, &missing);
        assert!(
            text.contains("--tls-key") && text.contains("can't be read: No such file"),
            "{text}"
        );
        let text = said(&one.key, &one.cert);
        assert!(text.ends_with(
            "there is no certificate in PEM (-----BEGIN CERTIFICATE-----) in this file"
        ));
        let text = said(&one.cert, &one.cert);
        assert!(text.contains("there is no private key in PEM"), "{text}");
        let text = said(&one.cert, &other.key);
        assert!(text.contains("can't be used together: "), "{text}");
    }
}
