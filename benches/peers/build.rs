//! Builds the peers in C++, where they are asked for.

fn main() {
    println!("cargo:rerun-if-changed=src/peers/cpp.cpp");
    #[cfg(feature = "cpp")]
    {
        cc::Build::new()
            .cpp(true)
            .std("c++17")
            .opt_level(3)
            // Or distances would be rounded otherwise than everywhere else.
            .flag("-ffp-contract=off")
            .file("src/peers/cpp.cpp")
            .compile("skirmish_peers_cpp");
        println!("cargo:rustc-link-lib=box2d");
    }
}
