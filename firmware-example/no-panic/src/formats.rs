//! What the kernel's values are written with and read from: a logger for defmt and a format for
//! serde that take what they are given. Crates of formats have panics of their own that do not go
//! away at every level (postcard's varints at z), and those would be taken for the kernel's.

use core::fmt::{self, Display};
use serde::de::{self, DeserializeSeed, Visitor};
use serde::ser::{self, Serialize};

pub(crate) type Writer = &'static mut Wire;
pub(crate) type Reader = &'static mut Wire;

/// Asked for each number that goes out, with it, and for each that comes in.
pub(crate) struct Wire(fn(u64) -> Result<u64, Stop>);

#[derive(Debug)]
pub(crate) struct Stop;

impl Display for Stop {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

impl core::error::Error for Stop {}

impl ser::Error for Stop {
    fn custom<T: Display>(_: T) -> Self {
        Self
    }
}

impl de::Error for Stop {
    fn custom<T: Display>(_: T) -> Self {
        Self
    }
}

impl Wire {
    fn put(&self, number: u64) -> Result<(), Stop> {
        (self.0)(number).map(drop)
    }

    fn take(&self) -> Result<u64, Stop> {
        (self.0)(0)
    }
}

macro_rules! numbers {
    ($($name:ident: $Type:ty),+ $(,)?) => {
        $(fn $name(self, value: $Type) -> Result<(), Stop> {
            self.put(value as u64)
        })+
    };
}

macro_rules! compounds {
    ($($name:ident($($argument:ty),*) -> $Compound:ident),+ $(,)?) => {
        $(fn $name(self, $(_: $argument),*) -> Result<Self, Stop> {
            Ok(self)
        })+
    };
}

impl ser::Serializer for &mut Wire {
    type Ok = ();
    type Error = Stop;
    type SerializeSeq = Self;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Self;
    type SerializeTupleVariant = Self;
    type SerializeMap = Self;
    type SerializeStruct = Self;
    type SerializeStructVariant = Self;

    numbers! {
        serialize_bool: bool, serialize_char: char, serialize_u8: u8, serialize_u16: u16,
        serialize_u32: u32, serialize_u64: u64, serialize_i8: i8, serialize_i16: i16,
        serialize_i32: i32, serialize_i64: i64, serialize_f32: f32, serialize_f64: f64,
    }

    compounds! {
        serialize_seq(Option<usize>) -> SerializeSeq,
        serialize_tuple(usize) -> SerializeTuple,
        serialize_tuple_struct(&'static str, usize) -> SerializeTupleStruct,
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> SerializeTupleVariant,
        serialize_map(Option<usize>) -> SerializeMap,
        serialize_struct(&'static str, usize) -> SerializeStruct,
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> SerializeStructVariant,
    }

    fn serialize_str(self, text: &str) -> Result<(), Stop> {
        self.serialize_bytes(text.as_bytes())
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<(), Stop> {
        bytes.iter().try_for_each(|&byte| self.put(byte.into()))
    }

    fn serialize_none(self) -> Result<(), Stop> {
        self.put(0)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Stop> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Stop> {
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Stop> {
        Ok(())
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        index: u32,
        _: &'static str,
    ) -> Result<(), Stop> {
        self.put(index.into())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Stop> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        value: &T,
    ) -> Result<(), Stop> {
        value.serialize(self)
    }

    fn collect_str<T: Display + ?Sized>(self, _: &T) -> Result<(), Stop> {
        Ok(())
    }
}

macro_rules! parts {
    ($($Trait:ident $name:ident($($key:ty)?)),+ $(,)?) => {
        $(impl ser::$Trait for &mut Wire {
            type Ok = ();
            type Error = Stop;

            fn $name<T: Serialize + ?Sized>(
                &mut self,
                $(_: $key,)?
                value: &T,
            ) -> Result<(), Stop> {
                value.serialize(&mut **self)
            }

            fn end(self) -> Result<(), Stop> {
                Ok(())
            }
        })+
    };
}

parts! {
    SerializeSeq serialize_element(),
    SerializeTuple serialize_element(),
    SerializeTupleStruct serialize_field(),
    SerializeTupleVariant serialize_field(),
    SerializeStruct serialize_field(&'static str),
    SerializeStructVariant serialize_field(&'static str),
}

impl ser::SerializeMap for &mut Wire {
    type Ok = ();
    type Error = Stop;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Stop> {
        key.serialize(&mut **self)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Stop> {
        value.serialize(&mut **self)
    }

    fn end(self) -> Result<(), Stop> {
        Ok(())
    }
}

/// Answers whatever is asked with whatever comes.
impl<'de> de::Deserializer<'de> for &mut Wire {
    type Error = Stop;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Stop> {
        match self.take()? {
            0 => visitor.visit_bool(self.take()? != 0),
            1 => visitor.visit_u64(self.take()?),
            2 => visitor.visit_i64(self.take()?.cast_signed()),
            3 => visitor.visit_borrowed_str("text"),
            4 => visitor.visit_borrowed_bytes(b"bytes"),
            5 => visitor.visit_none(),
            6 => visitor.visit_some(self),
            7 => visitor.visit_unit(),
            8 => visitor.visit_newtype_struct(self),
            9 => visitor.visit_seq(self),
            10 => visitor.visit_map(self),
            _ => visitor.visit_enum(self),
        }
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl<'de> de::SeqAccess<'de> for &mut Wire {
    type Error = Stop;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Stop> {
        match self.take()? {
            0 => Ok(None),
            _ => seed.deserialize(&mut **self).map(Some),
        }
    }
}

impl<'de> de::MapAccess<'de> for &mut Wire {
    type Error = Stop;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Stop> {
        match self.take()? {
            0 => Ok(None),
            _ => seed.deserialize(&mut **self).map(Some),
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Stop> {
        seed.deserialize(&mut **self)
    }
}

impl<'de> de::EnumAccess<'de> for &mut Wire {
    type Error = Stop;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Stop> {
        let value = seed.deserialize(&mut *self)?;
        Ok((value, self))
    }
}

impl<'de> de::VariantAccess<'de> for &mut Wire {
    type Error = Stop;

    fn unit_variant(self) -> Result<(), Stop> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Stop> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Stop> {
        visitor.visit_seq(self)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Stop> {
        visitor.visit_map(self)
    }
}

#[defmt::global_logger]
struct Logger;

unsafe impl defmt::Logger for Logger {
    fn acquire() {}

    unsafe fn flush() {}

    unsafe fn release() {}

    unsafe fn write(bytes: &[u8]) {
        core::hint::black_box(bytes);
    }
}

defmt::timestamp!("");

/// As firmware logs: by what `#[derive(defmt::Format)]` makes for the macros.
pub(crate) fn log<T: defmt::Format>(value: &T) {
    defmt::println!("{}", value);
}
