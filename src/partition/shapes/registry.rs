//! Which figures there are by name.

use super::{Corridor, Figure, Form, Polygon, Sector, Written};

macro_rules! figures {
    ($($(#[$doc:meta])* $name:ident;)+) => {
        /// Any figure that can be written.
        #[derive(Clone, Debug, PartialEq)]
        pub enum AnyFigure { $($(#[$doc])* $name($name),)+ }

        impl AnyFigure {
            /// How each figure is written.
            pub const FORMS: &'static [Form] = &[$(<$name as Written>::FORM,)+];

            /// The figure of this word and these numbers; nothing where the word is none.
            pub fn from_numbers(key: &str, numbers: &[f32]) -> Option<Self> {
                $(if key == <$name as Written>::FORM.key {
                    return Some(Self::$name(Written::from_numbers(numbers)));
                })+
                None
            }

            /// The figure, whichever it is.
            pub fn figure(&self) -> &dyn Figure {
                match self { $(Self::$name(figure) => figure,)+ }
            }

            /// How it is written.
            pub fn form(&self) -> Form {
                match self { $(Self::$name(_) => <$name as Written>::FORM,)+ }
            }

            /// The numbers that it was made of.
            pub fn numbers(&self) -> Vec<f32> {
                match self { $(Self::$name(figure) => figure.numbers(),)+ }
            }
        }
    };
}

figures! {
    /// A cone of sight.
    Sector;
    /// Between lines from corner to corner.
    Polygon;
    /// Along a path.
    Corridor;
}
